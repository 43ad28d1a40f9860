import { BUILT_INS } from './built-ins.js'
import type { Expression } from './freemarker-expression.js'
import { refuse, requireAllowed } from './place.js'
import type { Place } from './types.js'

/** What the code of an expression is made from: names that the template gives, and built-ins that it turns out to use. */
export type CodeContext = {
  /** Elements of the lists around it. */
  locals: ReadonlySet<string>
  /** What `<#assign>` sets anywhere in the template. */
  assigned: ReadonlySet<string>
  used: Set<string>
}

/** A text as sandbox code: nothing in it is an entity or a hole of the notation around it. */
export const quoted = (text: string): string =>
  JSON.stringify(text)
    .replace(/&/g, '\\u0026')
    .replace(/@/g, '\\u0040')
    .replace(/[\u2028\u2029]/g, (char) => (char === '\u2028' ? '\\u2028' : '\\u2029'))

export const localName = (name: string): string =>
  `$v_${name.replace(/[^\w]/g, (char) => `$${char.codePointAt(0)?.toString(16)}$`)}`

const PLAIN_NAME = /^[A-Za-z_]\w*$/

/** Functions that the incumbent's templates are given. */
const FUNCTIONS: { readonly [name: string]: string } = { htmlEscape: 'Fn.htmlEscape' }

const COMPARISONS: { readonly [operator: string]: string } = { '<': '<', '>': '>', '<=': '<=', '>=': '>=' }

/** Built-ins of the element of a list. */
const LOOP_BUILT_INS: { readonly [name: string]: (local: string) => string } = {
  index: (local) => `${local}_at`,
  counter: (local) => `(${local}_at + 1)`,
  has_next: (local) => `(${local}_at < ${local}_of - 1)`,
  is_first: (local) => `(${local}_at === 0)`,
  is_last: (local) => `(${local}_at === ${local}_of - 1)`,
  item_parity: (local) => `(${local}_at % 2 === 0 ? 'odd' : 'even')`,
}

/** `item_index` and `item_has_next`, as older templates write the built-ins of loops. */
const olderLoopName = (name: string, { locals }: CodeContext): string | undefined => {
  const [, item, kind] = /^(.+)_(index|has_next)$/.exec(name) ?? []
  return item !== undefined && kind !== undefined && locals.has(item) && !locals.has(name)
    ? LOOP_BUILT_INS[kind]?.(localName(item))
    : undefined
}

const globalCode = (name: string, isLenient: boolean): string => {
  // Letters that the sandbox's language has no names of, and its own words.
  if (!PLAIN_NAME.test(name) || RESERVED.has(name)) return `Context[${quoted(name)}]`
  return isLenient ? `(typeof ${name} === 'undefined' ? null : ${name})` : name
}

const RESERVED = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'finally for function if implements import in instanceof interface let new null package private protected public ' +
    'return static super switch this throw try typeof var void while with yield and or not empty isdef contains foreach'
  ).split(' '),
)

const nameCode = (name: string, context: CodeContext, isLenient: boolean): string => {
  if (context.locals.has(name)) return localName(name)
  const older = olderLoopName(name, context)
  if (older !== undefined) return older
  const global = globalCode(name, isLenient)
  return context.assigned.has(name)
    ? `(${localName(name)} === undefined ? ${global} : ${localName(name)})`
    : global
}

/**
 * The sandbox code of an expression of FreeMarker. A name that nobody gives fails when it runs; a value that is
 * missing below a name that is there is null.
 *
 * @throws badRequest for a built-in that is not known.
 */
export const codeOf = (expression: Expression, context: CodeContext, at: Place): string => {
  const code = (inner: Expression): string => generate(inner, false)
  const all = (items: readonly Expression[]): string => items.map(code).join(', ')

  const builtIn = (of: Expression, name: string, args: readonly Expression[]): string => {
    if (of.kind === 'name' && context.locals.has(of.name) && Object.hasOwn(LOOP_BUILT_INS, name))
      return LOOP_BUILT_INS[name]!(localName(of.name))
    // Each inner expression is generated once: twice would double with every built-in behind another.
    const lenient = (inner: Expression): string => generate(inner, true)
    if (name === 'has_content') return `$has(${lenient(of)})`
    if (name === 'exists') return `(${lenient(of)} != null)`
    if (name === 'if_exists') return `(${lenient(of)} ?? '')`
    if (name === 'default') return `[${[of, ...args].map(lenient).join(', ')}].find((v) => v != null)`
    const own = name === 'then' ? 'choose' : name
    if (!Object.hasOwn(BUILT_INS, own)) throw refuse(at, `the built-in ?${name} is not known`)
    context.used.add(own)
    return `$f.${own}(${[code(of), ...args.map(code)].join(', ')})`
  }

  const binary = (operator: string, left: Expression, right: Expression): string => {
    const [a, b] = [code(left), code(right)]
    if (operator === '==') return `$mvel.equal(${a}, ${b})`
    if (operator === '!=') return `!$mvel.equal(${a}, ${b})`
    if (operator === '+') return `$add(${a}, ${b})`
    if (operator === '..') return `$range(${a}, ${b})`
    if (operator === '..<') return `$range(${a}, ${b}).slice(0, -1)`
    if (operator === '&&' || operator === '||') return `($truth(${a}) ${operator} $truth(${b}))`
    if (Object.hasOwn(COMPARISONS, operator)) return `($compare(${a}, ${b}) ${operator} 0)`
    return `($number(${a}, '${operator}') ${operator} $number(${b}, '${operator}'))`
  }

  const call = (callee: Expression, args: readonly Expression[]): string => {
    if (
      callee.kind === 'member' &&
      callee.key.kind === 'literal' &&
      PLAIN_NAME.test(String(callee.key.value))
    )
      return `${code(callee.of)}.${callee.key.value}(${all(args)})`
    if (callee.kind === 'name' && Object.hasOwn(FUNCTIONS, callee.name))
      return `${FUNCTIONS[callee.name]}(${all(args)})`
    throw refuse(at, 'only a method of a value can be called')
  }

  const generate = (inner: Expression, isLenient: boolean): string => {
    switch (inner.kind) {
      case 'literal':
        return typeof inner.value === 'string' ? quoted(inner.value) : String(inner.value)
      case 'name':
        requireAllowed(inner.name, at)
        return nameCode(inner.name, context, isLenient)
      case 'member':
        return `$get(${generate(inner.of, isLenient)}, ${code(inner.key)})`
      case 'slice':
        return `$slice(${code(inner.of)}, ${code(inner.from)}, ${inner.to ? code(inner.to) : '1e9'})`
      case 'call':
        return call(inner.callee, inner.args)
      case 'builtIn':
        return builtIn(inner.of, inner.name, inner.args)
      case 'otherwise':
        return `(${generate(inner.of, true)} ?? ${inner.fallback ? generate(inner.fallback, isLenient) : "''"})`
      case 'exists':
        return `(${generate(inner.of, true)} != null)`
      case 'unary':
        return inner.operator === '!'
          ? `!$truth(${code(inner.of)})`
          : `(${inner.operator}$number(${code(inner.of)}, '${inner.operator}'))`
      case 'binary':
        return binary(inner.operator, inner.left, inner.right)
      case 'list':
        return `[${all(inner.items)}]`
      case 'map':
        return `({ ${inner.entries.map(([key, value]) => `[$text(${code(key)})]: ${code(value)}`).join(', ')} })`
      case 'text':
        return `[${all(inner.parts)}].map($text).join('')`
    }
  }

  return generate(expression, false)
}
