# SPDX-License-Identifier: MIT
# Makes net.safetensors, which from_pytorch_or_keras.cpp reads, and prints what the net gives.
import torch
from safetensors.torch import save_file

torch.manual_seed(1)
net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 2))
save_file(net.state_dict(), "net.safetensors")   # 0.weight, 0.bias, 2.weight, 2.bias
print(net(torch.tensor([[1.0, 2.0, 3.0, 4.0]])))
