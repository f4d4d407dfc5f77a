# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
"""What both interpreters share: values of expressions, of cross-lane operations, and the state of lanes.

Lanes that execute together are a sorted list of their numbers; a value is a list of theirs, in this order. Which lanes
these are after a branch is what the interpreters differ in (structure.py, postdominators.py).
"""
import collections
import functools
import itertools

from nodes import LANES, MEMORY_WORDS, Binary, Call, Constant, Input, Memory, Not, Operation, Variable

MASK32 = 0xFFFFFFFF
STEPS_MAX = 6000

OPERATIONS = ['ballot', 'elect', 'first', 'shuffle', 'scan_add', 'reduce_add', 'reduce_xor', 'scan_xor', 'reduce_minu',
              'reduce_maxu', 'reduce_or']

BINARY = {
    '+': lambda x, y: (x + y) & MASK32,
    '-': lambda x, y: (x - y) & MASK32,
    '*': lambda x, y: (x * y) & MASK32,
    '<<': lambda x, y: (x << y) & MASK32,
    '>>': lambda x, y: x >> y,
    '^': int.__xor__,
    '&': int.__and__,
    '|': int.__or__,
    '<': lambda x, y: int(x < y),
    '==': lambda x, y: int(x == y),
    '!=': lambda x, y: int(x != y),
}

COMBINE = {'add': BINARY['+'], 'xor': int.__xor__, 'or': int.__or__, 'minu': min, 'maxu': max}


class TooLong(Exception):
    """The kernel takes more steps than are worth while."""


def cross_lane(kind, lanes, values, sources):
    """What an operation gives in the lanes that execute it; `sources` are the lanes that a shuffle reads."""
    if kind == 'elect':
        return [1] + [0] * (len(lanes) - 1)
    if kind == 'first':
        return values[:1] * len(lanes)
    if kind == 'ballot':
        bits = sum(1 << lane for lane, value in zip(lanes, values) if value)
        return [(bits ^ bits >> 32) & MASK32] * len(lanes)
    if kind == 'shuffle':
        by_lane = dict(zip(lanes, values))
        return [by_lane.get(source % LANES, 0) for source in sources]
    form, how = kind.split('_')
    if form == 'reduce':
        return [functools.reduce(COMBINE[how], values)] * len(lanes)
    return [0] + list(itertools.accumulate(values, COMBINE[how]))[:-1]


def split(lanes, values):
    """The lanes whose value is not zero, and the others."""
    return ([lane for lane, value in zip(lanes, values) if value],
            [lane for lane, value in zip(lanes, values) if not value])


class Wavefront:
    """What its calls share: functions, input, the lanes' memory, and how long it may still execute."""

    def __init__(self, functions, inputs):
        self.functions = {f.name: f for f in functions}
        self.inputs = inputs
        self.memory = [[0] * MEMORY_WORDS for _ in range(LANES)]
        self.steps = 0
        self.graphs = {}  # of postdominators.py, by name of the function

    def step(self):
        self.steps += 1
        if self.steps > STEPS_MAX:
            raise TooLong


class Frame:
    """A call, by the lanes that make it together. Subclasses have run() and choose()."""

    def __init__(self, wavefront, function, lanes, a, b):
        self.wavefront = wavefront
        self.function = function
        self.variables = collections.defaultdict(lambda: [0] * LANES)
        self.result = [0] * LANES
        start = {'a': a, 'b': b, 'c': [v ^ 5 for v in a], 'd': [v >> 3 for v in a],
                 'h': [(v + 1) & MASK32 for v in b], 'p': [v & 1 for v in a], 'q': [0] * len(a)}
        for name, values in start.items():
            self.assign(name, lanes, values)

    def run(self, lanes):
        """Executes the function; its lanes' results are in `result` then."""
        raise NotImplementedError

    def choose(self, x, lanes):
        """The value of a &&, || or ?:."""
        raise NotImplementedError

    def assign(self, name, lanes, values):
        row = self.variables[name]
        for lane, value in zip(lanes, values):
            row[lane] = value

    def store(self, lanes, indices, values):
        for lane, index, value in zip(lanes, indices, values):
            self.wavefront.memory[lane][index % MEMORY_WORDS] = value

    def give(self, lanes, values):
        for lane, value in zip(lanes, values):
            self.result[lane] = value

    def value(self, x, lanes):
        match x:
            case Variable(name):
                row = self.variables[name]
                return [row[lane] for lane in lanes]
            case Constant(value):
                return [value] * len(lanes)
            case Binary(operator, left, right):
                return list(map(BINARY[operator], self.value(left, lanes), self.value(right, lanes)))
            case Not(operand):
                return [int(value == 0) for value in self.value(operand, lanes)]
            case Input(index):
                return [self.wavefront.inputs[i % LANES] for i in self.value(index, lanes)]
            case Memory(index):
                memory = self.wavefront.memory
                return [memory[lane][i % MEMORY_WORDS] for lane, i in zip(lanes, self.value(index, lanes))]
            case Operation(kind, operand, lane):
                sources = None if lane is None else self.value(lane, lanes)
                return cross_lane(kind, lanes, self.value(operand, lanes), sources)
            case Call(name, first, second):
                callee = type(self)(self.wavefront, self.wavefront.functions[name], lanes, self.value(first, lanes),
                                    self.value(second, lanes))
                callee.run(lanes)
                return [callee.result[lane] for lane in lanes]
        return self.choose(x, lanes)


def execute(frame, kernel, inputs):
    """What each lane computes, by the rule of a kind of Frame."""
    lanes = list(range(LANES))
    call = frame(Wavefront(kernel.functions, inputs), kernel.functions[-1], lanes, inputs, lanes)
    call.run(lanes)
    return call.result
