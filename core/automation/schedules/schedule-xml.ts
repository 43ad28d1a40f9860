import {
  allowAttributes,
  childrenOf,
  named,
  readContribution,
  type XmlForm,
} from '../../platform/contributions/index.js'
import { checkOwnId, readBoolean, readName, textOf, writeXmlNode } from '../chains/index.js'

/** Elements by the field that they stand for; the first is written. */
const ELEMENTS = {
  chain: ['chain'],
  event: ['event', 'eventId'],
  category: ['eventCategory'],
  cron: ['cronExpression'],
  timezone: ['timezone', 'timeZone'],
  username: ['username'],
  input: ['input'],
  overlap: ['overlap'],
} as const

type Field = keyof typeof ELEMENTS

const FIELDS = Object.keys(ELEMENTS) as Field[]

type Written = { readonly [field in Field]?: string | undefined } & {
  readonly params: { readonly [name: string]: unknown }
  readonly enabled: boolean
}

const paramText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A schedule as the incumbent writes it, with a chain, its input and parameters besides (workflow-audit.md §7). */
export const scheduleXml: XmlForm<Written> = {
  read: (id, text) =>
    readContribution({ text, element: 'schedule' }, (root, report) => {
      allowAttributes(root, ['id', 'enabled'], report)
      checkOwnId(root, { id, noun: 'schedule', report })
      const parts = childrenOf(root, [...FIELDS.flatMap((field) => ELEMENTS[field]), 'param'], report)
      const fields = FIELDS.flatMap((field) => {
        const element = ELEMENTS[field].flatMap((name) => named(parts, name))[0]
        return element ? [[field, textOf(element, field, report)] as const] : []
      })
      const params = named(parts, 'param').map((param) => {
        allowAttributes(param, ['name'], report)
        const name = readName(param, 'name', report)
        return [name, textOf(param, `params.${name}`, report)] as const
      })
      return {
        ...Object.fromEntries(fields),
        ...(params.length > 0 && { params: Object.fromEntries(params) }),
        ...(readBoolean(root, 'enabled', { absent: true, report }) ? {} : { enabled: false }),
      }
    }),

  write: (id, schedule) =>
    writeXmlNode({
      name: 'schedule',
      attributes: { id, ...(!schedule.enabled && { enabled: 'false' }) },
      content: [
        ...FIELDS.flatMap((field) => {
          const content = schedule[field]
          return content === undefined ? [] : [{ name: ELEMENTS[field][0], content }]
        }),
        ...Object.entries(schedule.params).map(([name, value]) => ({
          name: 'param',
          attributes: { name },
          content: paramText(value),
        })),
      ],
    }),
}
