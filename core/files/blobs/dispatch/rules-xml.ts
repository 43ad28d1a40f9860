import type { Report, XmlPart } from '../../../platform/contributions/index.js'

/** What a clause of the reference platform's dispatcher asks for, by its property and operator. */
const CLAUSES: { readonly [clause: string]: (value: string) => object } = {
  'ecm:repositoryName=': (value) => ({ repositories: [value] }),
  'ecm:primaryType=': (value) => ({ types: [value] }),
  'blob:mime-type=': (value) => ({ mimeTypes: [value] }),
  'blob:mime-type~': (value) => ({ mimeTypes: [value] }),
  'blob:length>': (value) => ({ minBytes: Number(value) + 1 }),
  'blob:length<': (value) => ({ maxBytes: Number(value) - 1 }),
}

const clauseOf = (text: string): object | undefined => {
  const [, clause = '', value = ''] = /^\s*([\w:-]+[=~<>])(.*)$/.exec(text) ?? []
  return Object.hasOwn(CLAUSES, clause) ? CLAUSES[clause]!(value.trim()) : undefined
}

/**
 * Rules as the reference platform writes them: `<property name="ecm:primaryType=Video,blob:length>1000">s3</property>`;
 * `default` is the rule that always holds, and the last one.
 */
export const rulesOfXml = ({ children }: XmlPart, report: Report): object => {
  const rules = children
    .filter(({ name }) => name === 'property')
    .map(({ attributes: { name = '' }, text, at }) => {
      if (name === 'default') return { isLast: true, rule: { store: text } }
      const clauses = name.split(',').map(clauseOf)
      if (clauses.includes(undefined))
        report('name', at, `"${name}" is no rule; a clause is one of ${Object.keys(CLAUSES).join(' ')}`)
      return { isLast: false, rule: Object.assign({ store: text }, ...clauses) as object }
    })
  return { rules: rules.sort((a, b) => Number(a.isLast) - Number(b.isLast)).map(({ rule }) => rule) }
}
