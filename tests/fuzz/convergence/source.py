# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
"""Kernels as C."""
from nodes import (FLAGS, LANES, MEMORY_WORDS, VARIABLES, And, Assign, Binary, Call, Choice, Constant, DoWhile, For, If,
                   Input, Jump, Memory, Not, Operation, Or, Return, Store, Switch, Variable, While)

HEAD = '''/* Random kernels: tests/fuzz/convergence/generate.py. */
#include <sluice/wave/group.h>
#include <sluice/wave/wave.h>

static inline uint32_t fold(uint64_t bits)
{
    return (uint32_t)(bits ^ bits >> 32);
}
'''

ATTRIBUTES = {
    'plain': '',
    'noinline': '__attribute__((noinline)) ',
    'always_inline': 'inline __attribute__((always_inline)) ',
}


def expression(x):
    match x:
        case Variable(name):
            return name
        case Constant(value):
            return f'{value}u'
        case Binary(operator, left, right):
            return f'({expression(left)} {operator} {expression(right)})'
        case Not(operand):
            return f'!{expression(operand)}'
        case Input(index):
            return f'in[{expression(index)} & {LANES - 1}]'
        case Memory(index):
            return f'mem[{expression(index)} & {MEMORY_WORDS - 1}]'
        case And(left, right):
            return f'({expression(left)} && {expression(right)})'
        case Or(left, right):
            return f'({expression(left)} || {expression(right)})'
        case Choice(condition, yes, no):
            return f'({expression(condition)} ? {expression(yes)} : {expression(no)})'
        case Call(function, first, second):
            return f'{function}(in, {expression(first)}, {expression(second)})'
        case Operation('elect'):
            return '(uint32_t)sl_elect()'
        case Operation('ballot', operand):
            return f'fold(sl_ballot({expression(operand)}))'
        case Operation('shuffle', operand, lane):
            return f'(uint32_t)sl_shuffle({expression(operand)}, {expression(lane)} & {LANES - 1})'
        case Operation(kind, operand):
            return f'(uint32_t)sl_{kind}({expression(operand)})'
    raise TypeError(x)


class Printer:
    """Prints the body of a function; `result` is what stands in front of the value that it returns."""

    def __init__(self, result):
        self.result = result

    def body(self, statements, depth):
        return [line for s in statements for line in self.statement(s, depth)]

    def block(self, head, body, depth, tail='}'):
        pad = '    ' * depth
        return [f'{pad}{head} {{'] + self.body(body, depth + 1) + [pad + tail]

    def statement(self, s, depth):
        match s:
            case If(condition, then, None):
                return self.block(f'if ({expression(condition)})', then, depth)
            case If(condition, then, otherwise):
                lines = self.block(f'if ({expression(condition)})', then, depth)
                return lines[:-1] + self.block('} else', otherwise, depth)
            case While(condition, body):
                return self.block(f'while ({expression(condition)})', body, depth)
            case DoWhile(body, condition):
                return self.block('do', body, depth, f'}} while ({expression(condition)});')
            case For(counter, limit, body):
                return self.block(f'for ({counter} = 0; {counter} < {expression(limit)}; {counter}++)', body, depth)
            case Switch(value, arms):
                return self.switch(value, arms, '    ' * depth, depth)
        return ['    ' * depth + self.simple(s)]

    def switch(self, value, arms, pad, depth):
        lines = [f'{pad}switch ({expression(value)}) {{']
        for arm in arms:
            lines += [pad + ('default:' if label is None else f'case {label}:') for label in arm.labels]
            lines += self.body(arm.body, depth + 1)
            if not arm.falls:
                lines.append(f'{pad}    break;')
        return lines + [pad + '}']

    def simple(self, s):
        match s:
            case Assign(name, value):
                return f'{name} = {expression(value)};'
            case Store(index, value):
                return f'mem[{expression(index)} & {MEMORY_WORDS - 1}] = {expression(value)};'
            case Jump(kind):
                return f'{kind};'
            case Return(value):
                return f'{self.result} {expression(value)};'
        raise TypeError(s)


def names_used(x, found):
    """Adds the variables of statements or expressions."""
    match x:
        case Variable(name) | Assign(name) | For(name):
            found.add(name)
    if isinstance(x, (tuple, list)):
        for part in x:
            names_used(part, found)
    return found


def function(f):
    """The text of a function."""
    if f.kind == 'kernel':
        lines = [f'SL_KERNEL void {f.name}(const uint32_t *in, uint32_t *mem, uint32_t *out)', '{',
                 '    const uint32_t lane = sl_global_id(0);', '    uint32_t a = in[lane], b = lane;',
                 f'    mem += {MEMORY_WORDS} * lane;']
    else:
        lines = [f'static {ATTRIBUTES[f.kind]}uint32_t {f.name}(const uint32_t *in, uint32_t a, uint32_t b)', '{']
    lines.append('    uint32_t c = a ^ 5, d = a >> 3, h = b + 1, p = a & 1, q = 0;')
    own = sorted(names_used(f.body, set()) - set(VARIABLES) - set(FLAGS))
    if own:
        lines.append('    uint32_t ' + ', '.join(f'{name} = 0' for name in own) + ';')
    printer = Printer('out[lane] =' if f.kind == 'kernel' else 'return')
    return '\n'.join(lines + printer.body(f.body, 1) + ['}', ''])


def program(kernels):
    """The text of a file of kernels."""
    return '\n'.join([HEAD] + [function(f) for kernel in kernels for f in kernel.functions])
