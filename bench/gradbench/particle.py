# SPDX-License-Identifier: MIT
import os

FUNCTIONS = {'forward, forward': 'ff', 'forward, reverse': 'fr', 'reverse, forward': 'rf', 'reverse, reverse': 'rr'}
PEER = [os.path.join(os.path.dirname(os.path.abspath(__file__)), 'hand', 'particle.cpp')]   # the suite has none


def cases(suite, Numbers):
    yield 'w=0', {'w': 0.0}


def golden(function, given):
    return 0.2071918746486116
