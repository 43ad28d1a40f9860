import { newPart, type Report, type XmlPart } from '../../platform/contributions/index.js'

/** What a schema definition (XSD) declares beside its elements, by name. */
type Declared = ReadonlyMap<string, XmlPart>

type Definition = { type: string; [rule: string]: unknown }

const BUILT_IN: { readonly [type: string]: string } = {
  ...{ string: 'string', normalizedString: 'string', token: 'string', anyURI: 'string', time: 'string' },
  ...{ long: 'long', int: 'long', integer: 'long', short: 'long', byte: 'long' },
  ...{ nonNegativeInteger: 'long', positiveInteger: 'long', unsignedInt: 'long', unsignedLong: 'long' },
  ...{ double: 'double', float: 'double', decimal: 'double' },
  ...{ boolean: 'boolean', date: 'date', dateTime: 'date', base64Binary: 'binary', content: 'blob' },
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1)
const inside = (part: XmlPart, name: string): readonly XmlPart[] =>
  part.children.filter((child) => local(child.name) === name)

const listOf = ({ type, ...rules }: Definition): Definition => ({ ...rules, type: `${type}[]` })

const TEXT_RULES = { minLength: Number, maxLength: Number, pattern: String } as const

const restricted = (restriction: XmlPart, declared: Declared, report: Report): Definition => {
  const values = inside(restriction, 'enumeration').map(({ attributes }) => attributes.value ?? '')
  const rules = Object.entries(TEXT_RULES).flatMap(([name, convert]) =>
    inside(restriction, name).map(({ attributes }) => [name, convert(attributes.value ?? '')] as const),
  )
  const base = named(restriction.attributes.base ?? 'string', { at: restriction, declared, report })
  return { ...base, ...Object.fromEntries(rules), ...(values.length > 0 && { values }) }
}

const simple = (type: XmlPart, declared: Declared, report: Report): Definition => {
  const [list] = inside(type, 'list')
  if (list) return listOf(named(list.attributes.itemType ?? 'string', { at: list, declared, report }))
  const [restriction] = inside(type, 'restriction')
  if (restriction) return restricted(restriction, declared, report)
  report('', type.at, 'expected a list or a restriction')
  return { type: 'string' }
}

const complex = (type: XmlPart, declared: Declared, report: Report): Definition => {
  const elements = inside(type, 'sequence').flatMap((sequence) => inside(sequence, 'element'))
  const [only] = elements
  if (only && elements.length === 1 && only.attributes.maxOccurs === 'unbounded')
    return fieldOf(only, declared, report)
  return { type: 'complex', fields: fieldsOf(elements, declared, report) }
}

const named = (
  name: string,
  { at, declared, report }: { at: XmlPart; declared: Declared; report: Report },
): Definition => {
  const type = declared.get(local(name))
  // A type that holds itself has no end.
  const others = new Map([...declared].filter(([key]) => key !== local(name)))
  if (type) return (local(type.name) === 'simpleType' ? simple : complex)(type, others, report)
  const builtIn = BUILT_IN[local(name)]
  if (builtIn === undefined) report('', at.at, `unknown type "${name}"`)
  return { type: builtIn ?? 'string' }
}

const fieldOf = (element: XmlPart, declared: Declared, report: Report): Definition => {
  const [simpleType] = inside(element, 'simpleType')
  const [complexType] = inside(element, 'complexType')
  const { type = 'string', default: written, nillable, maxOccurs } = element.attributes
  const own = simpleType
    ? simple(simpleType, declared, report)
    : complexType
      ? complex(complexType, declared, report)
      : named(type, { at: element, declared, report })
  const isNumber = own.type === 'long' || own.type === 'double'
  const value = own.type === 'boolean' ? written === 'true' : isNumber ? Number(written) : written
  const definition = {
    ...own,
    ...(nillable === 'false' && { required: true }),
    ...(written !== undefined && { default: value }),
  }
  return maxOccurs === 'unbounded' ? listOf(definition) : definition
}

const fieldsOf = (
  elements: readonly XmlPart[],
  declared: Declared,
  report: Report,
): { [name: string]: Definition } =>
  Object.fromEntries(
    elements.map((element) => {
      const { name = '' } = element.attributes
      if (name === '') report('', element.at, `<${element.name}> needs the attribute name`)
      return [name, fieldOf(element, declared, report)]
    }),
  )

/** A content schema as the incumbent writes it: its definition (XSD) stands inside the element, as no file comes with it. */
export const readSchemaElement = (part: XmlPart, report: Report): object => {
  const { prefix, src } = part.attributes
  if (src !== undefined)
    report(
      '',
      part.at,
      `src="${src}" is a file, which is not deployed; write its <xs:schema> inside <schema>`,
    )
  const [definition = newPart('schema', part)] = inside(part, 'schema')
  const types = [...inside(definition, 'simpleType'), ...inside(definition, 'complexType')]
  const declared = new Map(types.map((type) => [type.attributes.name ?? '', type]))
  const fields = fieldsOf(inside(definition, 'element'), declared, report)
  return { ...(prefix !== undefined && { prefix }), fields }
}
