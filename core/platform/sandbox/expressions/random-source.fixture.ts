import { seededRandom } from '../../../../test/support/random.js'

const NAMES = [
  ...[
    'Document',
    'Documents',
    'This',
    'Context',
    'Fn',
    'CurrentUser',
    'CurrentDate',
    'Env',
    'Session',
    'x',
    's',
  ],
  ...[
    'list',
    'map',
    'none',
    'nothing',
    'empty',
    'globalThis',
    'constructor',
    'arguments',
    'this',
    '__proto__',
  ],
]
const MEMBERS = [
  ...[
    'title',
    'parent',
    'size()',
    'get(0)',
    'isEmpty()',
    'constructor',
    'prototype',
    '__proto__',
    'toString()',
  ],
  ...['length', 'map(f)', 'days(1)', 'format("yyyy")', 'contains("a")', 'name', 'call', 'apply(null, [])'],
  ...['toUpperCase()', 'substring(1)', 'valueOf()', 'hasOwnProperty("a")', 'matches("(a+)+b")', 'repeat(3)'],
]
const LITERALS = [
  ...[
    '1',
    '-0.5',
    '1e308',
    '0x1f',
    '"a"',
    "'b\\n'",
    '"dc:title"',
    'true',
    'null',
    '[]',
    '[:]',
    '["k": 1]',
    '{}',
  ],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the template literal is the sandbox's.
  ...['/a+/', '`t${x}`', '"\\u0000"', '"\\ud800"', '[1, 2]', '({ a: 1 })', '9007199254740993n', 'NaN'],
]
const OPERATORS = [
  ...['+', '-', '*', '/', '%', '==', '!=', '===', '<', '>=', '&&', '||', '??', 'and', 'or', 'contains', '~='],
  ...['in', 'instanceof', '?', ':', ',', '=', '.', '.?', '?.', ';', '&', '**', '>>>'],
]
const NOISE = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '`',
  '\\',
  '/',
  '//',
  '/*',
  '@{',
  '#',
  '\u2028',
  '$mvel',
  '${',
]

/** Random texts that look like expressions, most of them wrong. The same seed gives the same texts. */
export const randomSources = (seed: number) => {
  const random = seededRandom(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!

  const operand = (depth: number): string => {
    const kind = random()
    if (depth <= 0 || kind < 0.3) return pick(LITERALS)
    if (kind < 0.6) return pick(NAMES)
    if (kind < 0.8) return `${operand(depth - 1)}.${pick(MEMBERS)}`
    if (kind < 0.85) return `${operand(depth - 1)}[${expression(depth - 1)}]`
    if (kind < 0.9) return `(${expression(depth - 1)})`
    if (kind < 0.93) return `isdef ${pick(NAMES)}`
    if (kind < 0.96)
      return `Fn.${pick(['htmlEscape', 'nxqlEscape', 'concatenateIntoList'])}(${expression(depth - 1)})`
    return `((a) => ${expression(depth - 1)})(${operand(depth - 1)})`
  }
  const expression = (depth: number): string => {
    const parts = [operand(depth)]
    while (random() < 0.4) parts.push(pick(OPERATORS), operand(depth - 1))
    if (random() < 0.05) parts.splice(Math.floor(random() * parts.length), 0, pick(NOISE))
    return parts.join(random() < 0.5 ? ' ' : '')
  }
  const statement = (depth: number): string => {
    const kind = random()
    if (depth <= 0 || kind < 0.5)
      return `${pick(['', 'var a = ', 'b = ', 'return ', 'input["dc:title"] = '])}${expression(2)};`
    if (kind < 0.6) return `if (${expression(1)}) { ${statement(depth - 1)} }`
    if (kind < 0.7) return `for (var i = 0; i < 3; i++) { ${statement(depth - 1)} }`
    if (kind < 0.8) return `try { ${statement(depth - 1)} } catch (e) { ${statement(depth - 1)} }`
    if (kind < 0.9) return `function f${depth}(a) { ${statement(depth - 1)} }`
    return `${pick(['Document.Create', 'RunOperation', 'ctx.put', 'Console.log', 'Session.query'])}(${expression(1)}, ${expression(1)});`
  }
  return { expression: () => expression(3), statement: () => statement(3), pick }
}
