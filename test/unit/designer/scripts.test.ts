import { expect, test } from 'vitest'
import {
  createChainRegistry,
  createScriptHandler,
  parseChain,
} from '../../../core/automation/chains/index.js'
import { operations } from '../../../core/automation/operations/index.js'
import type { Deployed } from '../../../core/platform/contributions/index.js'
import { type ErrorDetail, isArchivoltError } from '../../../core/platform/errors/index.js'

const NOTHING: Deployed = { mark: '', of: () => new Map(), points: [] }
const feed = { current: async () => NOTHING, latest: () => NOTHING }
const chain = (id: string, text: string) => parseChain({ id, text, format: 'yaml' }).chain
const handler = createScriptHandler(
  createChainRegistry({
    operations,
    defaults: [
      chain('plain', 'params:\n- colour: {type: string}\noperations:\n- Log: {message: "expr:colour"}\n'),
      chain('commits', '- RunInNewTransaction: {id: plain}\n'),
    ],
    feed,
  }),
)

const lineOf = ({ line, column, message }: ErrorDetail): string => `${line}:${column} ${message}`

/** What is wrong with a script, or, where nothing is, what is warned of. */
const reported = async (body: string): Promise<{ wrong?: string[]; warnings?: string[] }> => {
  const text = `script: |\n  function run(input, params) {\n    ${body}\n  }\n`
  try {
    const { warnings = [] } = await handler.examine({ name: 'Demo.It', text, format: 'yaml' }, NOTHING)
    return { warnings: warnings.map(lineOf) }
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    return { wrong: error.details.map(lineOf) }
  }
}

const committing = (name: string): string =>
  `${name} needs transactions of its own, which a script cannot begin: make it a step of a chain`

test.each<[string, string[]]>([
  [
    'RunOperationOnListInNewTx(input, { id: "plain", list: "x" })',
    [`3:5 ${committing('RunOperationOnListInNewTx')}`],
  ],
  [
    'return Context.RunDocumentOperationInNewTx(input, { id: "plain" })',
    [`3:12 ${committing('Context.RunDocumentOperationInNewTx')}`],
  ],
  [
    'RunDocumentOperation(input, { id: "plain", newTx: true })',
    [`3:5 ${committing('RunDocumentOperation')}`],
  ],
  ['commits(input)', [`3:5 ${committing('commits')}`]],
])('%s is refused', async (body, wrong) => {
  expect(await reported(body)).toEqual({ wrong })
})

test.each<[string, string[]]>([
  [
    'RunDocumentOperation(input, { id: "plain", newTx: false }); RunOperationOnList(input, { id: "plain", list: "x" })',
    [],
  ],
  [
    'plain(input, { colour: "red" }); Document.SetProperty(input, { xpath: "dc:title", value: 1, save: false })',
    [],
  ],
  [
    'Document.SetProperty(input, { xpth: "dc:title", value: 1 })',
    ['3:35 unknown parameter "xpth" of Document.SetProperty, did you mean "xpath"?'],
  ],
  ['plain(input, { color: "red" })', ['3:20 unknown parameter "color" of plain, did you mean "colour"?']],
  ['Document.Save(input, params); Document.Save(input, { ...params })', []],
])('%s is warned of', async (body, warnings) => {
  expect(await reported(body)).toEqual({ warnings })
})
