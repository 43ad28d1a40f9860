import { describe, expect, test } from 'vitest'
import { principalOf, SYSTEM } from '../../../../core/access/security/index.js'
import { runInline, runOperation, runSegment } from '../../../../core/automation/execution/index.js'
import {
  type ChainDefinition,
  type ChainStep,
  type ErrorChain,
  type Value,
  VOID,
} from '../../../../core/automation/language/index.js'
import { createDocument, getDocument } from '../../../../core/content/documents/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import { createTestAutomation } from '../../../support/automation.js'

const { platform, runtime, runs, registry, define } = await createTestAutomation()

const administrator = await platform.authenticator.principal('Administrator')
if (!administrator) throw new Error('There is no administrator')

const step = (operation: string, params: ChainStep['params'] = {}): ChainStep => ({ operation, params })
const title = (value: string) => step('Document.SetProperty', { xpath: 'dc:title', value })
const describeIt = (value: string) => step('Document.SetProperty', { xpath: 'dc:description', value })
const variable = (name: string, value: string) => step('Context.SetVar', { name, value })
const FAILING = step('Document.SetLifeCycle', { value: 'noSuchTransition' })
const MISSING = step('Repository.GetDocument', { value: '/no/such/document' })

const chain = (
  id: string,
  steps: readonly ChainStep[],
  onError: readonly (Pick<ErrorChain, 'chain'> & Partial<ErrorChain>)[] = [],
): ChainDefinition => {
  const definition: ChainDefinition = {
    id,
    aliases: [],
    params: [],
    steps,
    ...(onError.length > 0 && {
      onError: onError.map((errorChain) => ({ rollback: true, priority: 0, ...errorChain })),
    }),
  }
  define(definition)
  return definition
}

const start = (definition: ChainDefinition, input: Value) =>
  runs.start({
    chain: definition,
    registry: registry(),
    request: { input, params: {}, variables: {} },
    principal: administrator!,
    requestId: 'test',
  })

const run = async (definition: ChainDefinition, input: Value) =>
  runs.result(await start(definition, input), administrator!)

let made = 0
const newFile = (): Promise<DocumentRecord> =>
  platform.withSession(administrator!, (session) =>
    createDocument(session, {
      parent: '/',
      name: `file${made++}`,
      type: 'File',
      properties: { 'dc:title': 'new' },
    }),
  )
const inputOf = ({ id }: DocumentRecord): Value => ({ type: 'document', id })
const read = (id: string): Promise<DocumentRecord> => getDocument(platform.readSession(SYSTEM), id)

/** What is written of the document that a run was given. */
const written = async ({ id }: DocumentRecord) => {
  const { properties } = await read(id)
  return [properties['dc:title'], properties['dc:description'] ?? null]
}

chain('caught', [
  step('Context.FetchDocument'),
  describeIt('expr:@{exceptionName} @{Exception} @{exceptionObject.status} @{seen}'),
])
chain('caught-first', [step('Context.FetchDocument'), describeIt('first')])
chain('caught-second', [step('Context.FetchDocument'), describeIt('second')])
chain('caught-badly', [step('Context.FetchDocument'), describeIt('lost'), MISSING])

const STEPS = [
  step('Context.FetchDocument'),
  title('changed'),
  variable('seen', 'before'),
  FAILING,
  title('late'),
]

describe('a segment that fails', () => {
  test.each<[string, Parameters<typeof chain>[2], readonly unknown[]]>([
    ['is undone', [{ chain: 'caught' }], ['new', 'OperationException OperationException 400 before']],
    [
      'is kept up to the step',
      [{ chain: 'caught', rollback: false }],
      ['changed', 'OperationException OperationException 400 before'],
    ],
    [
      'calls for the last of equals',
      [{ chain: 'caught-first' }, { chain: 'caught-second' }],
      ['new', 'second'],
    ],
    [
      'calls for the highest priority',
      [
        { chain: 'caught-first', priority: 2, rollback: false },
        { chain: 'caught-second', priority: 1 },
      ],
      ['changed', 'first'],
    ],
    [
      'passes over filters that do not hold, or cannot be evaluated',
      [
        { chain: 'caught-second', priority: 9, filter: 'expr:exceptionName == "DocumentNotFoundException"' },
        { chain: 'caught-second', priority: 9, filter: 'expr:noSuchThing.at.all' },
        { chain: 'caught-first', filter: 'expr:@{seen == "before"}' },
      ],
      ['new', 'first'],
    ],
  ])('%s', async (name, onError, expected) => {
    const file = await newFile()
    const { input } = await run(chain(`one ${name}`, STEPS, onError), inputOf(file))
    expect(input).toMatchObject({ type: 'document', id: file.id })
    expect(await written(file)).toEqual(expected)
  })

  test.each([
    ['no filter holds', [{ chain: 'caught', filter: 'expr:false', rollback: false }], /noSuchTransition/],
    ['its error chain fails', [{ chain: 'caught-badly', rollback: false }], /no\/such\/document/],
  ])('fails when %s, and nothing of it is kept', async (name, onError, message) => {
    const file = await newFile()
    await expect(run(chain(`failing when ${name}`, STEPS, onError), inputOf(file))).rejects.toThrow(message)
    expect(await written(file)).toEqual(['new', null])
  })

  test('is caught when the database refuses a value', async () => {
    const file = await newFile()
    const broken = step('Document.Query', {
      query: "SELECT * FROM Document WHERE dc:created > DATE '0000-00-00'",
    })
    await run(chain('refused value', [title('changed'), broken], [{ chain: 'caught-first' }]), inputOf(file))
    expect(await written(file)).toEqual(['new', 'first'])
  })

  test('ends its chain: what follows in other transactions is not run, what came before stays', async () => {
    const file = await newFile()
    chain('of its own', [step('Context.FetchDocument'), title('committed')])
    const boundary = step('RunInNewTransaction', { id: 'of its own' })
    const several = chain('several', [boundary, ...STEPS, boundary], [{ chain: 'caught' }])
    await run(several, inputOf(file))
    expect(await written(file)).toEqual(['committed', expect.stringContaining('400')])
  })
})

describe('a call or a loop that fails', () => {
  chain('fails', [step('Context.FetchDocument'), title('undone'), MISSING])

  test.each([
    ['a call', step('RunInNewTransaction', { id: 'fails', rollbackGlobalOnError: true })],
    ['a loop', step('Context.RunOperationOnListInNewTx', { id: 'fails', list: 'list', item: 'item' })],
  ])('%s is caught on the state before it', async (name, boundary) => {
    const file = await newFile()
    const definition = chain(
      `catching ${name}`,
      [variable('seen', name), variable('list', 'expr:[1, 2]'), boundary, title('late')],
      [{ chain: 'caught', filter: 'expr:exceptionName == "DocumentNotFoundException"' }],
    )
    const { input } = await run(definition, inputOf(file))
    expect(input).toMatchObject({ type: 'document', id: file.id })
    const reported = `DocumentNotFoundException DocumentNotFoundException 404 ${name}`
    expect(await written(file)).toEqual(['new', reported])
  })

  test('nothing is caught where no filter holds', async () => {
    const boundary = step('RunInNewTransaction', { id: 'fails', rollbackGlobalOnError: true })
    const definition = chain('not catching', [boundary], [{ chain: 'caught', filter: 'expr:false' }])
    await expect(run(definition, inputOf(await newFile()))).rejects.toThrow(/no\/such\/document/)
  })

  test('a run of its own catches by its own error chains, and its caller goes on', async () => {
    const file = await newFile()
    const boundary = step('RunInNewTransaction', { id: 'fails', rollbackGlobalOnError: true })
    chain('inner run', [boundary], [{ chain: 'caught-first' }])
    await run(
      chain('outer run', [step('inner run'), title('after')], [{ chain: 'caught-second' }]),
      inputOf(file),
    )
    expect(await written(file)).toEqual(['after', 'first'])
  })
})

describe('a chain inside of a transaction', () => {
  test.each([
    ['undone', true, ['outer, later', 'first']],
    ['kept', false, ['inner, later', 'first']],
  ])('is %s to where it began, and its caller goes on', async (name, rollback, expected) => {
    const file = await newFile()
    const fetch = step('Context.FetchDocument')
    chain(`inner ${name}`, [fetch, title('inner'), FAILING], [{ chain: 'caught-first', rollback }])
    const outer = chain(`outer ${name}`, [
      fetch,
      title('outer'),
      step(`inner ${name}`),
      title('expr:@{Document["dc:title"]}, later'),
    ])
    await run(outer, inputOf(file))
    expect(await written(file)).toEqual(expected)
  })

  test.each([true, false])('are not for whom the chain has logged in, and undo: %s', async (rollback) => {
    const hidden = await newFile()
    const look = step('Repository.GetDocument', { value: hidden.id })
    const steps = [step('Auth.LoginAs'), look, FAILING]
    const called = async (id: string, asked: readonly ChainStep[], onError: string) => {
      chain(id, asked, [{ chain: onError, rollback }])
      return runOperation(await runtime.segments(registry()), {
        principal: principalOf('nobody', [], false),
        call: { operation: id, input: VOID, params: {}, variables: {} },
        signal: AbortSignal.timeout(30_000),
      })
    }
    chain(`looking ${rollback}`, [look])
    chain(`passing ${rollback}`, [variable('a', 'b')])
    await expect(called(`seen ${rollback}`, steps, `looking ${rollback}`)).rejects.toMatchObject({
      code: 'notFound',
    })
    expect(await called(`handed ${rollback}`, steps, `passing ${rollback}`)).not.toHaveProperty('record')
    expect(await called(`done ${rollback}`, steps.slice(0, 2), `passing ${rollback}`)).toEqual({
      type: 'document',
      id: hidden.id,
      isOfOthers: true,
    })
  })

  test('catches without a workflow too', async () => {
    const file = await newFile()
    chain('caught in process', STEPS, [{ chain: 'caught-first', rollback: false }])
    const output = await runOperation(await runtime.segments(registry()), {
      principal: administrator,
      call: {
        operation: 'RunDocumentOperation',
        input: inputOf(file),
        params: { id: 'caught in process' },
        variables: {},
      },
      signal: AbortSignal.timeout(30_000),
    })
    expect(output).toMatchObject({ id: file.id })
    expect(await written(file)).toEqual(['changed', 'first'])
  })

  test('catches when it is executed inline', async () => {
    const file = await newFile()
    const definition = chain('inline', STEPS, [{ chain: 'caught-first', rollback: false }])
    const output = await runInline(await runtime.segments(registry()), {
      chain: { ...definition, execution: 'inline' },
      call: { input: inputOf(file), params: {}, variables: {} },
      run: { runId: `inline-${file.id}`, requestId: 'test' },
      request: () => ({}),
      principal: administrator,
      signal: AbortSignal.timeout(30_000),
    })
    expect(output).toMatchObject({ id: file.id })
    expect(await written(file)).toEqual(['changed', 'first'])
  })

  test('is caught for each element of a loop', async () => {
    const files = await Promise.all([newFile(), newFile()])
    chain(
      'of an element',
      [step('Context.FetchDocument'), title('changed'), FAILING],
      [{ chain: 'caught-first', rollback: false }],
    )
    const loop = chain('loop of caught', [
      step('Context.SetInputAsVar', { name: 'list' }),
      step('Context.RunOperationOnListInNewTx', { id: 'document of an element', list: 'list', item: 'item' }),
    ])
    chain('document of an element', [
      step('Context.RestoreDocumentInput', { name: 'item' }),
      step('of an element'),
    ])
    await run(loop, { type: 'documents', ids: files.map(({ id }) => id) })
    for (const file of files) expect(await written(file)).toEqual(['changed', 'first'])
  })
})

test('an error chain runs once, however often its segment is attempted', async () => {
  const file = await newFile()
  chain('appending', [
    step('Context.FetchDocument'),
    describeIt('expr:@{Document["dc:description"] == null ? "" : Document["dc:description"]}+'),
  ])
  const { steps, onError } = chain('once', STEPS, [{ chain: 'appending', rollback: false }])
  const segments = await runtime.segments(registry())
  const attempt = () =>
    runSegment(segments, {
      principal: administrator,
      run: {
        key: { workflowId: file.id, step: '0' },
        state: { state: { input: inputOf(file), variables: {} } },
        chains: {},
      },
      steps,
      onError,
      signal: AbortSignal.timeout(30_000),
    })
  const first = await Promise.all([attempt(), attempt()])
  expect([...first, await attempt()]).toEqual(Array(3).fill({ ...first[0], isCaught: true }))
  expect(await written(file)).toEqual(['changed', '+'])
})
