# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
"""Syntax trees of kernels: what tree.py makes, source.py prints as C, and the interpreters execute.

All values are uint32_t. A body is a list of statements. Every tree is free of undefined behaviour, whatever its
inputs are: indices are masked where they are used, and shifts are by constants below 32.
"""
from typing import NamedTuple, Optional

LANES = 64
MEMORY_WORDS = 8  # of each work-item

# Variables of every function; a and b are its arguments, p and q are flags, and h is its result. Others begin as 0.
VARIABLES = ['a', 'b', 'c', 'd', 'h']
FLAGS = ['p', 'q']


# ---- expressions ----

class Variable(NamedTuple):
    name: str


class Constant(NamedTuple):
    value: int


class Binary(NamedTuple):
    operator: str
    left: tuple
    right: tuple


class Not(NamedTuple):
    operand: tuple


class Input(NamedTuple):
    """A word of the input, which is the same for all lanes."""
    index: tuple


class Memory(NamedTuple):
    """A word of the lane's own memory, which only kernels have."""
    index: tuple


class And(NamedTuple):
    left: tuple
    right: tuple


class Or(NamedTuple):
    left: tuple
    right: tuple


class Choice(NamedTuple):
    condition: tuple
    yes: tuple
    no: tuple


class Operation(NamedTuple):
    """A cross-lane operation (lanes.OPERATIONS). Only a shuffle has a second operand: the lane that it reads."""
    kind: str
    operand: tuple
    lane: Optional[tuple]


class Call(NamedTuple):
    function: str
    first: tuple
    second: tuple


# ---- statements ----

class Assign(NamedTuple):
    name: str
    value: tuple


class Store(NamedTuple):
    index: tuple
    value: tuple


class If(NamedTuple):
    condition: tuple
    then: list
    otherwise: Optional[list]


class While(NamedTuple):
    condition: tuple
    body: list


class DoWhile(NamedTuple):
    body: list
    condition: tuple


class For(NamedTuple):
    """Counts from 0 to below the limit, which each round reads anew."""
    counter: str
    limit: tuple
    body: list


class Arm(NamedTuple):
    """A part of a switch. The label None is default; an arm that does not fall through ends by a break."""
    labels: list
    body: list
    falls: bool


class Switch(NamedTuple):
    value: tuple
    arms: list


class Jump(NamedTuple):
    """A break or a continue."""
    kind: str


class Return(NamedTuple):
    value: tuple


# ---- functions ----

class Function(NamedTuple):
    name: str
    kind: str  # 'kernel', or how a helper is compiled: 'plain', 'noinline' or 'always_inline'
    body: list


class Kernel(NamedTuple):
    """The last function is the kernel itself; the others are helpers that it may call."""
    functions: list

    @property
    def name(self):
        return self.functions[-1].name


def counting(name):
    """The statement that adds one to a variable."""
    return Assign(name, Binary('+', Variable(name), Constant(1)))


def below(name, limit):
    return Binary('<', Variable(name), limit)
