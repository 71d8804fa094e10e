#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Steps of pytorch_optimizer.SAM around torch.optim.SGD with momentum, written to sam.txt in this folder.

Made with PyTorch 2.13.0 and pytorch_optimizer 4.1.0 in double; its norm is rounded to float. A line is `case step quantity numbers...`;
quantities are weight, table and loss, the loss before the step.
The loss is the mean over 12 rows r of softplus(z) - z y with z = x weight + table[ids] and
  x[r, i] = ((5 r + 3 i) mod 11 - 5) / 4, ids[r] = (r^2 + 3 r) mod 7, y[r] = r mod 3 == 0;
  weight[i] = (i - 2) / 4, table[i] = ((3 i) mod 8 - 4) / 4.
Rows 0, 3, 4 and 5 occur, the other ones do not move.
"""
import os

import torch
from pytorch_optimizer import SAM

torch.set_default_dtype(torch.float64)
X = torch.tensor([[((5 * r + 3 * i) % 11 - 5) / 4 for i in range(5)] for r in range(12)])
Y = torch.tensor([float(r % 3 == 0) for r in range(12)])
IDS = torch.tensor([(r * r + 3 * r) % 7 for r in range(12)])

if __name__ == "__main__":
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "sam.txt"), "w") as out:
        for name, rho, adaptive in (("plain", 0.5, False), ("adaptive", 2.0, True)):
            weight = torch.tensor([(i - 2) / 4 for i in range(5)], requires_grad=True)
            table = torch.tensor([((3 * i) % 8 - 4) / 4 for i in range(7)], requires_grad=True)
            rule = SAM([weight, table], torch.optim.SGD, rho=rho, adaptive=adaptive, lr=0.25, momentum=0.875)

            def closure():
                rule.zero_grad()
                z = X @ weight + table[IDS]
                y = (torch.nn.functional.softplus(z) - z * Y).mean()
                y.backward()
                return y

            for step in range(1, 9):
                loss = closure().item()
                rule.step(closure)
                out.write(f"{name} {step} loss {loss!r}\n")
                for quantity, values in (("weight", weight), ("table", table)):
                    out.write(f"{name} {step} {quantity} " + " ".join(repr(v) for v in values.tolist()) + "\n")
