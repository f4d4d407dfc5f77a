# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
"""Smaller trees: all kernels that are one step smaller than a given one, for reduce.py."""
from nodes import (And, Arm, Binary, Call, Choice, Constant, DoWhile, For, Function, If, Input, Jump, Kernel, Memory,
                   Not, Operation, Or, Return, Switch, Variable, While)

EXPRESSIONS = (Variable, Constant, Binary, Not, Input, Memory, And, Or, Choice, Operation, Call)
LOOPS = (While, DoWhile, For)


def size(x):
    """Number of nodes and leaves."""
    return 1 + sum(size(part) for part in x) if isinstance(x, (tuple, list)) else 1


def renamed(x, old, new):
    """The tree with another name of its kernel, with which those of its helpers begin."""
    if isinstance(x, list):
        return [renamed(part, old, new) for part in x]
    if not isinstance(x, tuple):
        return x
    if isinstance(x, (Function, Call)):
        x = x._replace(**{x._fields[0]: new + x[0].removeprefix(old)})
    return type(x)(*(renamed(part, old, new) for part in x))


def is_valid(body, in_loop=False, in_switch=False):
    """Whether each break has a loop right around it, and each continue has one."""
    for s in body:
        match s:
            case Jump('break') if in_switch or not in_loop:
                return False
            case Jump() if not in_loop:
                return False
            case If(_, then, otherwise):
                if not is_valid(then, in_loop, in_switch) or not is_valid(otherwise or [], in_loop, in_switch):
                    return False
            case Switch(_, arms):
                if not all(is_valid(arm.body, in_loop, True) for arm in arms):
                    return False
        if isinstance(s, LOOPS) and not is_valid(s.body, True):
            return False
    return True


def inner_bodies(s):
    match s:
        case If(_, then, otherwise):
            return [then] if otherwise is None else [then, otherwise]
        case Switch(_, arms):
            return [arm.body for arm in arms]
    return [s.body] if isinstance(s, LOOPS) else []


def bodies(body):
    """Without some statements, with what is in one in its place, or with a smaller one."""
    for width in (8, 4, 2, 1):
        for i in range(len(body) - width + 1):
            yield body[:i] + body[i + width:]
    for i, s in enumerate(body):
        for inner in inner_bodies(s):
            yield body[:i] + inner + body[i + 1:]
        for smaller in parts(s):
            yield body[:i] + [smaller] + body[i + 1:]


def parts(node):
    """The node with one of its parts smaller."""
    if isinstance(node, If) and node.otherwise is not None:
        yield node._replace(otherwise=None)
    if isinstance(node, Arm):
        if node.falls:
            yield node._replace(falls=False)
        for label in node.labels if len(node.labels) > 1 else []:
            yield node._replace(labels=[other for other in node.labels if other != label])
    for field, part in zip(node._fields, node):
        if isinstance(part, EXPRESSIONS):
            smaller = expressions(part)
        elif field in ('then', 'otherwise', 'body') and part is not None:
            smaller = bodies(part)
        elif field == 'arms':
            smaller = arm_lists(part)
        else:
            continue
        for x in smaller:
            yield node._replace(**{field: x})


def arm_lists(arms):
    for i, arm in enumerate(arms):
        if len(arms) > 1:
            rest = arms[:i] + arms[i + 1:]
            yield rest[:-1] + [rest[-1]._replace(falls=False)]
        for smaller in parts(arm):
            yield arms[:i] + [smaller] + arms[i + 1:]


def expressions(x):
    """One of its operands, something simple, or the same with a smaller operand."""
    if isinstance(x, Constant):
        return
    operands = [part for part in x if isinstance(part, EXPRESSIONS)]
    yield from operands
    if not isinstance(x, Variable):
        yield Variable('a')
        yield Variable('b')
    yield Constant(0)
    yield Constant(1)
    yield from parts(x)


def kernels(kernel):
    """Smallest first. Functions keep the return that they end with."""
    functions = kernel.functions
    found = {}
    for i, f in enumerate(functions):
        rest = functions[:i] + functions[i + 1:]
        if rest and rest[-1] is functions[-1] and f"'{f.name}'" not in repr([other.body for other in rest]):
            found[repr(rest)] = Kernel(rest)
        for body in bodies(f.body):
            if body and isinstance(body[-1], Return) and is_valid(body):
                changed = functions[:i] + [f._replace(body=body)] + functions[i + 1:]
                found[repr(changed)] = Kernel(changed)
    limit = size(kernel)
    smaller = [other for other in found.values() if size(other) < limit]
    return sorted(smaller, key=size)
