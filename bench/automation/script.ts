import { principalOf } from '../../core/access/security/index.js'
import {
  createExpressionEngine,
  type ExpressionScope,
  type HostDocument,
} from '../../core/platform/sandbox/expressions/index.js'
import { call, createDocument, deployChain } from '../harness/client.js'
import { alternate, median, timed } from '../harness/rounds.js'
import type { Figure, Measure, MeasureContext } from '../harness/types.js'

/** A document, and nine changes of it: ten operations, each with a statement or two of its own. */
const CHANGES = [
  'dc:title',
  'dc:description',
  'dc:source',
  'dc:rights',
  'dc:format',
  'dc:language',
  'dc:coverage',
]
const CHAIN = [
  '- Document.Create:\n    type: File\n    name: made',
  ...[...CHANGES, 'dc:title', 'dc:source'].map(
    (xpath) => `- Document.SetProperty:\n    xpath: ${xpath}\n    value: 'expr:@{Document.name} changed'`,
  ),
].join('\n')
const SCRIPT = `inputType: document
outputType: document
script: |
  function run(input) {
    var doc = Document.Create(input, { type: "File", name: "made" })
${[...CHANGES, 'dc:title', 'dc:source']
  .map((xpath) => `    doc = Document.SetProperty(doc, { xpath: "${xpath}", value: doc.name + " changed" })`)
  .join('\n')}
    return doc
  }
`

/** Pairs of calls before any is counted. */
const WARM_UP = 50

/** Both are one transaction in the API's process: a chain that is run by an operation starts no workflow. */
const measureTen = async ({ servers: { apiUrl }, isQuick }: MeasureContext): Promise<Figure> => {
  const parent = await createDocument(apiUrl, { parent: '/', type: 'Folder', name: 'bench-scripts' })
  await deployChain(apiUrl, 'bench-ten', CHAIN)
  const headers = { 'content-type': 'application/yaml' }
  await call('PUT', `${apiUrl}/api/v1/contributions/scripts/Bench.Ten`, { body: SCRIPT, headers })
  const run = (operation: string, params: object) => () =>
    timed(() =>
      call('POST', `${apiUrl}/api/v1/automation/${operation}`, {
        body: JSON.stringify({ input: `doc:${parent}`, params }),
      }),
    )
  const measures = { ours: run('Bench.Ten', {}), floor: run('RunDocumentOperation', { id: 'bench-ten' }) }
  await alternate(WARM_UP, measures)
  const ten = await alternate(isQuick ? 10 : 300, measures)
  return { name: 'script of ten operations, beside a chain', unit: 'ms', ...ten, goal: { most: 1.5 } }
}

const DOCUMENT: HostDocument = {
  id: 'id',
  name: 'name',
  path: '/name',
  type: 'File',
  facets: [],
  schemas: [],
  state: 'project',
  versionLabel: '1.0',
  isProxy: false,
  isVersion: false,
  lockOwner: null,
  lockCreated: null,
  isFolder: false,
  get: () => 'value',
}

const EXPRESSIONS = [
  'expr:Document["dc:title"]',
  'expr:@{Document["dc:title"]} of @{CurrentUser.name}',
  'expr:x == empty ? "none" : x.toUpperCase()',
  // With a function of its own.
  'expr:x.split("").filter(letter => letter != "t").join("")',
]

/** Warm: the text was evaluated before, as each of a deployed chain is after its first run. */
const measureExpressions = async ({ isQuick }: MeasureContext): Promise<Figure[]> => {
  const engine = await createExpressionEngine()
  const scope: ExpressionScope = {
    document: DOCUMENT,
    input: DOCUMENT,
    variables: { x: 'text' },
    principal: principalOf('ann', ['members'], false),
    now: new Date(),
    env: {},
  }
  const microseconds = async (text: string, times: number): Promise<number> => {
    const spent = await timed(async () => {
      for (let index = 0; index < times; index++) await engine.evaluateValue(text, scope)
    })
    return (spent * 1_000) / times
  }
  const figures: Figure[] = []
  for (const text of EXPRESSIONS) {
    const rounds: number[] = []
    for (let round = 0; round < 5; round++) rounds.push(await microseconds(text, isQuick ? 500 : 5_000))
    figures.push({
      name: `expression ${text.slice(5)}`,
      unit: 'µs',
      ours: median(rounds),
      goal: { most: 50 },
    })
  }
  engine.dispose()
  return figures
}

/** Scripts beside chains of the same operations, and expressions against a bound of time. */
export const measureScripts: Measure = async (context) => [
  await measureTen(context),
  ...(await measureExpressions(context)),
]
