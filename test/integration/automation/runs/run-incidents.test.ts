import { describe, expect, test } from 'vitest'
import { uniqueName } from '../../../support/template.js'
import { createItemLoops, PARAMS } from '../../support/item-loops.js'
import type { Entity } from '../../support/rest-client.js'
import { createRunsBench, runId } from '../../support/runs-support.js'

const bench = await createRunsBench()
const { deploy, start, endedWithSteps, make } = bench

const { filesWith, startOn } = await createItemLoops(bench)

describe('what a run went on after', () => {
  const SET = (xpath: string) => `- Document.SetProperty: {xpath: '${xpath}', value: x}\n`
  const SAID = 'Context.SetVar: {name: said, value: x}'

  test('reports the failures that its calls skipped', async () => {
    await deploy(
      'to-correct',
      '- Document.SetProperty: {xpath: \'expr:@{Document["dc:source"]}\', value: done}\n',
    )
    await deploy(
      'passing',
      `${PARAMS}
- Repository.Query: {query: 'expr:SELECT * FROM File WHERE ecm:path STARTSWITH "@{ChainParameters["folder"]}" ORDER BY ecm:name'}
- RunDocumentOperation: {id: to-correct, newTx: true, rollbackGlobalOnError: false}
- Context.RunDocumentOperationInNewTx: {id: Document.SetLifeCycle, parameters: {value: fly}}
`,
    )
    const { path, files } = await filesWith([1, 3], 4)
    const answer = await startOn('passing', path)
    expect(answer.status, answer.text).toBe(200)
    const id = runId(answer)
    const report = await endedWithSteps(id)
    expect(report).toMatchObject({ status: 'COMPLETED', incidentCount: 3 })
    expect(report.incidents).toEqual([
      ...[1, 3].map((position) => ({
        kind: 'passedOver',
        at: expect.any(String),
        node: 1,
        position,
        operation: 'RunDocumentOperation',
        target: 'to-correct',
        input: { type: 'document', documentId: files[position].uid, path: files[position].path },
        failure: { code: 'badRequest', status: 400, message: expect.stringContaining('no:such') },
      })),
      expect.objectContaining({
        node: 2,
        operation: 'Context.RunDocumentOperationInNewTx',
        target: 'Document.SetLifeCycle',
        input: { type: 'documents' },
      }),
    ])
  })

  test('reports the run of its own that a call skipped', async () => {
    await deploy(
      'deep-failing',
      '- RunInNewTransaction: {id: touch}\n- Document.SetLifeCycle: {value: fly}\n',
    )
    await deploy(
      'passing-run',
      '- Context.RunDocumentOperationInNewTx: {id: deep-failing}\n- Log: {message: x}\n',
    )
    const file = await make('/', uniqueName('d'), 'File')
    const report = await endedWithSteps(
      runId(await start('passing-run', { json: { input: `doc:${file.uid}` } })),
    )
    expect(report).toMatchObject({ status: 'COMPLETED', incidentCount: 1 })
    expect(report.incidents).toMatchObject([
      {
        kind: 'passedOver',
        node: 0,
        target: 'deep-failing',
        input: { path: file.path },
        failure: { status: 400 },
      },
    ])
  })

  test('names documents by their paths to who may browse them', async () => {
    await deploy(
      'passing-one',
      `- RunDocumentOperation: {id: Document.SetLifeCycle, newTx: true, rollbackGlobalOnError: false, parameters: {value: fly}}\n`,
    )
    const file = await make('/', uniqueName('p'), 'File')
    const report = await endedWithSteps(
      runId(await start('passing-one', { json: { input: `doc:${file.uid}` } })),
    )
    expect(report.incidents).toMatchObject([
      { node: 0, input: { type: 'document', documentId: file.uid, path: file.path } },
    ])
    expect(report.incidents[0]).not.toHaveProperty('position')
  })

  test('reports error chains, with what they left out', async () => {
    await deploy('answering', SET('dc:description'))
    await deploy('failing-itself', '- Repository.GetDocument: {value: /no/such/error}')
    await deploy('missing', '- Repository.GetDocument: {value: /no/such}')
    const file = await make('/', uniqueName('e'), 'File')
    const json = { input: `doc:${file.uid}` }
    const chainOf = (errorChain: string, steps: string) =>
      `onError:\n- {chain: ${errorChain}}\noperations:\n${steps}`
    const reportOf = async (name: string, yaml: string) => {
      await deploy(name, yaml)
      return endedWithSteps(runId(await start(name, { json })))
    }
    const statuses = ({ nodes }: Entity) => nodes.map(({ status }: Entity) => status)
    const after = { code: 'notFound', status: 404, message: expect.stringContaining('/no/such') }
    const ran = { kind: 'errorChain', errorChain: 'answering', after, outcome: 'completed' }

    const inSegment = await reportOf(
      'e-segment',
      chainOf('answering', `- missing\n- RunInNewTransaction: {id: touch}\n- ${SAID}\n`),
    )
    expect(inSegment).toMatchObject({
      status: 'COMPLETED',
      incidents: [{ ...ran, node: 0 }],
      incidentCount: 1,
    })
    expect(statuses(inSegment)).toEqual(['caught', 'skipped', 'skipped'])

    const behindCall = await reportOf(
      'e-call',
      chainOf(
        'answering',
        `- Log: {message: x}\n- RunInNewTransaction: {id: missing, rollbackGlobalOnError: true}\n- ${SAID}\n`,
      ),
    )
    expect(behindCall.incidents).toMatchObject([{ ...ran, node: 1 }])
    expect(statuses(behindCall)).toEqual(['done', 'caught', 'skipped'])

    const below = await reportOf('e-below', `- e-call\n- ${SAID}\n`)
    expect(below.incidents).toMatchObject([{ ...ran, node: 1, run: `${below.workflowId}/0` }])
    expect(statuses(below)).toEqual(['done', 'done'])

    await deploy('e-nested', chainOf('answering', '- missing\n'))
    const nested = await reportOf('e-nesting', `- e-nested\n- ${SAID}\n`)
    expect(nested.incidents).toMatchObject([{ ...ran, chain: 'e-nested', node: 0 }])
    expect(statuses(nested)).toEqual(['done'])

    const inline = await reportOf('e-inline', `execution: inline\n${chainOf('answering', '- missing\n')}`)
    expect(inline).toMatchObject({ execution: 'inline', incidents: [{ ...ran, node: 0 }] })
    expect(statuses(inline)).toEqual(['caught'])

    for (const [name, execution, steps, node] of [
      ['f-segment', 'workflow', '- missing\n', 0],
      [
        'f-call',
        'workflow',
        '- Log: {message: x}\n- RunInNewTransaction: {id: missing, rollbackGlobalOnError: true}\n',
        1,
      ],
      ['f-inline', 'inline', '- missing\n', 0],
    ] as const) {
      const failed = await reportOf(name, `execution: ${execution}\n${chainOf('failing-itself', steps)}`)
      expect(failed, name).toMatchObject({
        status: 'FAILED',
        failure: { message: expect.stringContaining('/no/such/error') },
        incidents: [
          {
            kind: 'errorChain',
            errorChain: 'failing-itself',
            after: { ...after, message: expect.not.stringContaining('/no/such/error') },
            outcome: 'failed',
            failure: { status: 404, message: expect.stringContaining('/no/such/error') },
            node,
          },
        ],
      })
      expect(statuses(failed).at(-1)).toBe('failed')
    }
  })

  test('reports the incidents of loop items, up to a maximum', { timeout: 60_000 }, async () => {
    await deploy(
      'answered-item',
      'onError:\n- {chain: touch}\noperations:\n- Repository.GetDocument: {value: "expr:/no/such/@{item}"}\n',
    )
    await deploy('answered', '- RunOperationOnListInNewTx: {id: answered-item, list: numbers}')
    const numbers = Array.from({ length: 120 }, (_, index) => index)
    const report = await endedWithSteps(runId(await start('answered', { json: { context: { numbers } } })))
    expect(report.incidentCount).toBe(120)
    expect(report.incidents).toHaveLength(100)
    expect(report.incidents[7]).toMatchObject({
      kind: 'errorChain',
      chain: 'answered-item',
      errorChain: 'touch',
      node: 0,
      position: 7,
    })
    // All of one transaction.
    await deploy('answered-at-once', '- RunOperationOnList: {id: answered-item, list: numbers}')
    const atOnce = await endedWithSteps(
      runId(await start('answered-at-once', { json: { context: { numbers } } })),
    )
    expect([atOnce.incidentCount, atOnce.incidents.length]).toEqual([120, 100])
    const long = await make('/', uniqueName('l'), 'File', { 'dc:source': `no:${'x'.repeat(5_000)}` })
    await deploy('long', '- RunInNewTransaction: {id: to-correct}\n')
    const { incidents } = await endedWithSteps(
      runId(await start('long', { json: { input: `doc:${long.uid}` } })),
    )
    expect(incidents[0].failure.message).toHaveLength(500)
  })
})
