# SPDX-License-Identifier: MIT
import os

FUNCTIONS = {'forward, forward': 'ff', 'forward, reverse': 'fr', 'reverse, forward': 'rf', 'reverse, reverse': 'rr'}
PEER = [os.path.join(os.path.dirname(os.path.abspath(__file__)), 'hand', 'saddle.cpp')]   # the suite has none


def cases(suite, Numbers):
    yield 'start=1,1', {'start': [1.0, 1.0]}


def golden(function, given):
    return [8.246324826140356e-06] * 4
