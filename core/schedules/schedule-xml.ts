import {
  allowAttributes,
  childrenOf,
  createReport,
  named,
  onlyElement,
  parseXml,
  placeOf,
  readBoolean,
  readName,
  textOf,
  writeXmlNode,
} from '../chains/index.js'
import type { XmlForm } from '../contributions/index.js'

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
  read: (id, text) => {
    const { report, problems } = createReport()
    const document = parseXml(text, report)
    const root = document && onlyElement(document, 'schedule', report)
    if (!root) return { problems }
    allowAttributes(root, ['id', 'enabled'], report)
    const ownId = root.getAttribute('id')
    if (ownId !== null && ownId !== id)
      report('id', placeOf(root), `the schedule is deployed as "${id}", but calls itself "${ownId}"`)
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
    const content = {
      ...Object.fromEntries(fields),
      ...(params.length > 0 && { params: Object.fromEntries(params) }),
      ...(readBoolean(root, 'enabled', { absent: true, report }) ? {} : { enabled: false }),
    }
    return { content, problems }
  },

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
