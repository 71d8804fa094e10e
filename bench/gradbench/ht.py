# SPDX-License-Identifier: MIT
import glob
import os
import re

FUNCTIONS = {'primal': 'objective', 'gradient': 'jacobian'}


def read_model(folder):
    """The hand of gradbench/evals/ht/io.py."""
    def lines(name):
        with open(os.path.join(folder, name)) as file:
            return [line.split(':') for line in file]

    def matrix(numbers):
        return [[float(x) for x in numbers[4 * i:4 * i + 4]] for i in range(4)]
    bones, vertices = lines('bones.txt'), lines('vertices.txt')
    weights = [[0.0] * len(bones) for _ in vertices]
    for row, line in zip(weights, vertices):
        for i in range(int(line[8])):
            row[int(line[9 + 2 * i])] = float(line[10 + 2 * i])
    return {
        'bone_count': len(bones), 'bone_names': [line[0] for line in bones], 'parents': [int(line[1]) for line in bones],
        'base_relatives': [matrix(line[2:18]) for line in bones], 'inverse_base_absolutes': [matrix(line[18:34]) for line in bones],
        'base_positions': [[float(x) for x in line[:3]] + [1.0] for line in vertices], 'weights': weights,
        'triangles': [[int(x) for x in line[:3]] for line in lines('triangles.txt')], 'is_mirrored': False}


def read(path, shares):
    model = read_model(os.path.join(os.path.dirname(path), 'model'))
    with open(path) as file:
        count, thetas = (int(x) for x in file.readline().split())
        rows = [file.readline().split() for _ in range(count)]
        us = [[float(x) for x in file.readline().split()] for _ in range(count)] if shares else []
        theta = [float(file.readline()) for _ in range(thetas)]
    data = {'model': model, 'correspondences': [int(row[0]) for row in rows], 'points': [[float(x) for x in row[1:4]] for row in rows]}
    return {'theta': theta, 'data': data, 'us': us}


def hands(suite, folder):
    files = glob.glob(os.path.join(suite, 'evals', 'ht', 'data', folder, 'hand*.txt'))
    for path in sorted(files, key=lambda path: int(re.search(r'hand(\d+)_', path).group(1))):
        yield f'{folder} {os.path.basename(path)[:-4]}', read(path, folder.startswith('complicated'))


def cases(suite, Numbers):
    yield from hands(suite, 'complicated_big')


def checks(suite, Numbers):
    yield next(hands(suite, 'complicated_small'))
    yield next(hands(suite, 'simple_big'))
    yield next(hands(suite, 'simple_small'))
