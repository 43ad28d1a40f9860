import { expect, test } from 'vitest'
import { commandLineOf, fillArguments, placeholdersOf } from './command-line.js'
import { guardedArguments } from './guards.js'
import { parseCommand } from './parse-command.js'

test.each([
  ['-a #{x}  -b', [{ program: 'tool', args: ['-a', '#{x}', '-b'] }]],
  [`"two words" 'a "b"' -x="#{x} y"`, [{ program: 'tool', args: ['two words', 'a "b"', '-x=#{x} y'] }]],
  [
    '-a | sort -u',
    [
      { program: 'tool', args: ['-a'] },
      { program: 'sort', args: ['-u'] },
    ],
  ],
])('%s is parsed', (text, stages) => {
  expect(parseCommand('tool', text)).toEqual({ stages })
})

test.each([
  ['-a "open', 'a quote is not closed'],
  ['-a > file', 'no shell reads the arguments: > means nothing'],
  ['-a 2>&1', 'no shell reads the arguments: 2>&1 means nothing'],
  ['-a $(id)', 'no shell reads the arguments: $(id) means nothing'],
  ['-a ; rm', 'no shell reads the arguments: ; means nothing'],
  ['-a |', 'expected a program behind |'],
  ['-a | | b', 'expected a program between | and |'],
  ['-a | /bin/sh', '/bin/sh is not the name of a program'],
])('%s is refused', (text, problem) => {
  expect(parseCommand('tool', text).problem).toBe(problem)
})

const own = { sourceFilePath: '/tmp/a' }

test('a value stays within its argument, and callers cannot replace a path', () => {
  const given = { x: 'two "words"; $(id)', sourceFilePath: '/etc/passwd' }
  expect(fillArguments(['#{x}:#{y}', '#{sourceFilePath}'], { own, given })).toEqual([
    'two "words"; $(id):#{y}',
    '/tmp/a',
  ])
})

test.each(['-y', '--output=/tmp/x', '@/etc/passwd', 'a\0b', 'a\nb'])('the value %j is refused', (x) => {
  expect(() => fillArguments(['#{x}'], { own, given: { x } })).toThrow(
    expect.objectContaining({ status: 400, message: expect.stringContaining('x: ') }),
  )
})

test('a number may be negative', () => {
  expect(fillArguments(['#{x}'], { own, given: { x: '-1.5' } })).toEqual(['-1.5'])
})

test('every film that ffmpeg opens is guarded, and nothing else is changed', () => {
  const args = guardedArguments('ffmpeg', ['-i', 'a', '-i', 'b', 'c'])
  expect(args.filter((arg) => arg === '-protocol_whitelist')).toHaveLength(2)
  expect(guardedArguments('sort', ['-i'])).toEqual(['-i'])
})

test('placeholders of all programs are known', () => {
  const command = commandLineOf('x', { commandLine: 'a', parameterString: '#{b} | c -d=#{e}' }, false)
  expect([...placeholdersOf(command)]).toEqual(['b', 'e'])
})
