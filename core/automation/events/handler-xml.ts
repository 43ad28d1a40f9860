import {
  allowAttributes,
  childrenOf,
  named,
  readContribution,
  type XmlForm,
} from '../../platform/contributions/index.js'
import { readBoolean, readName, textOf, writeXmlNode, type XmlNode } from '../chains/index.js'

/** Filters of which there is one, and those that may be repeated. */
const SINGLE = ['facet', 'pathStartsWith', 'attribute', 'condition', 'expression'] as const
const SEVERAL = ['doctype', 'lifeCycle', 'group'] as const
const ADMINISTRATOR = 'isAdministrator'

type Written = {
  events: readonly string[]
  chain: string
  postCommit: boolean
  isAdministrator?: boolean | undefined
} & { readonly [filter in (typeof SINGLE)[number]]?: string | undefined } & {
  readonly [filter in (typeof SEVERAL)[number]]: readonly string[]
}

const texts = (name: string, values: readonly (string | undefined)[]): XmlNode[] =>
  values.flatMap((content) => (content === undefined ? [] : [{ name, content }]))

/** A handler as the incumbent writes it (reference: automation.md §6, event handlers). */
export const handlerXml: XmlForm<Written> = {
  read: (_, text) =>
    readContribution({ text, element: 'handler' }, (root, report) => {
      allowAttributes(root, ['chainId', 'postCommit'], report)
      const parts = childrenOf(root, ['event', 'filters'], report)
      const filters = named(parts, 'filters').flatMap((list) =>
        childrenOf(list, [...SINGLE, ...SEVERAL, ADMINISTRATOR], report),
      )
      const valuesOf = (name: string): string[] =>
        named(filters, name).map((element) => textOf(element, name, report))
      const single = SINGLE.flatMap((name) => valuesOf(name).map((value) => [name, value] as const))
      const several = SEVERAL.map(
        (name) => [name, valuesOf(name).flatMap((value) => value.split(','))] as const,
      )
      return {
        events: named(parts, 'event').map((element) => textOf(element, 'events', report)),
        chain: readName(root, 'chainId', report),
        postCommit: readBoolean(root, 'postCommit', { absent: false, report }),
        ...Object.fromEntries([...single, ...several.filter(([, values]) => values.length > 0)]),
        // Whatever it says: it is there for administrators (workflow-audit.md §7).
        ...(named(filters, ADMINISTRATOR).length > 0 && { isAdministrator: true }),
      }
    }),

  write: (_, handler) => {
    const filters = [
      ...SINGLE.flatMap((name) => texts(name, [handler[name]])),
      ...SEVERAL.flatMap((name) => texts(name, handler[name])),
      ...texts(ADMINISTRATOR, handler.isAdministrator ? ['true'] : []),
    ]
    return writeXmlNode({
      name: 'handler',
      attributes: { chainId: handler.chain, postCommit: String(handler.postCommit) },
      content: [
        ...texts('event', handler.events),
        ...(filters.length > 0 ? [{ name: 'filters', content: filters }] : []),
      ],
    })
  },
}
