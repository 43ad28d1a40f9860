import type { ContentModel } from '../../model/content-model/index.js'
import type { Finding } from '../../platform/contributions/index.js'
import { isBuiltIn } from './built-in-analyzers.js'
import { KINDS, type Named, resolvedPlace } from './index-shape.js'
import type { AddedField, SearchIndexContent } from './search-index-point.js'

/** The words of every string stand there. */
const OWN_FIELD = 'fulltext'

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

/** Entries of one kind under a name that an earlier contribution has given to something else. */
const conflict = (
  earlier: readonly Named[],
  entry: unknown,
  entryOf: (content: SearchIndexContent) => unknown,
): string | undefined =>
  earlier.find(({ content }) => {
    const other = entryOf(content)
    return other !== undefined && !isSame(other, entry)
  })?.name

const analysisFindings = ({ content }: Named, earlier: readonly Named[]): Finding[] =>
  KINDS.flatMap((kind) =>
    Object.entries(content.analysis[kind] ?? {}).flatMap(([name, entry]) => {
      const path = ['analysis', kind, name]
      if (kind === 'analyzer' && isBuiltIn(name)) return [{ path, message: 'is the name of a built-in one' }]
      const other = conflict(earlier, entry, ({ analysis }) => analysis[kind]?.[name])
      return other === undefined ? [] : [{ path, message: `conflicts with the one of "${other}"` }]
    }),
  )

const propertyFindings = (
  xpath: string,
  { content }: Named,
  { model, path }: { model: ContentModel; path: PropertyKey[] },
): Finding[] => {
  const resolved = model.resolve(xpath)
  const finding = (message: string): Finding[] => [{ path, message, onKey: true }]
  if (!resolved) return finding(`no such property: ${xpath}`)
  if (['complex', 'blob', 'binary'].includes(resolved.field.type))
    return finding(`${xpath} has no value of its own, but fields`)
  if (content.excludes.includes(resolved.key)) return finding(`${xpath} is among the "excludes"`)
  return []
}

const fieldsFindings = (
  own: Named,
  { model, earlier, all }: { model: ContentModel; earlier: readonly Named[]; all: readonly Named[] },
): Finding[] => {
  const known = (kind: 'analyzer' | 'normalizer', name: string): boolean =>
    (kind === 'analyzer' ? isBuiltIn(name) : name === 'lowercase') ||
    all.some(({ content }) => content.analysis[kind]?.[name] !== undefined)
  const unknownIn = (path: PropertyKey[], field: AddedField): Finding[] =>
    (['analyzer', 'search_analyzer', 'normalizer'] as const).flatMap((key) => {
      const name = field[key]
      const kind = key === 'normalizer' ? 'normalizer' : 'analyzer'
      if (name === undefined || known(kind, name)) return []
      return [{ path: [...path, key], message: `no such ${kind}: ${name}`, value: name }]
    })
  return Object.entries(own.content.fields).flatMap(([xpath, fields]) => {
    const findings = propertyFindings(xpath, own, { model, path: ['fields', xpath] })
    if (findings.length > 0) return findings
    const place = resolvedPlace(model, xpath)
    return Object.entries(fields).flatMap(([name, field]) => {
      const path = ['fields', xpath, name]
      if (name === OWN_FIELD)
        return [{ path, message: `${xpath}.${name} is a field of every index`, onKey: true }]
      const other = conflict(earlier, field, (content) => {
        const same = Object.entries(content.fields).find(([key]) => resolvedPlace(model, key) === place)
        return same?.[1][name]
      })
      if (other !== undefined)
        return [{ path, message: `${xpath}.${name} conflicts with the field of "${other}"`, onKey: true }]
      return unknownIn(path, field)
    })
  })
}

const excludesFindings = ({ content }: Named, model: ContentModel, all: readonly Named[]): Finding[] =>
  content.excludes.flatMap((key, index) => {
    const path = ['excludes', index]
    const resolved = model.resolve(key)
    if (!resolved || resolved.xpath !== resolved.key)
      return [{ path, message: `no such property: ${key}`, value: key }]
    const other = all.find((each) =>
      Object.keys(each.content.fields).some((xpath) => model.resolve(xpath)?.key === resolved.key),
    )
    if (!other) return []
    return [{ path, message: `"${other.name}" adds fields to ${key}`, value: key }]
  })

/** What of a contribution is unknown, or said otherwise by an earlier one. */
export const findingsOf = (
  own: Named,
  { model, earlier, all }: { model: ContentModel; earlier: readonly Named[]; all: readonly Named[] },
): Finding[] => [
  ...analysisFindings(own, earlier),
  ...fieldsFindings(own, { model, earlier, all }),
  ...excludesFindings(own, model, all),
]
