import { beforeEach, describe, expect, test } from 'vitest'
import { soon } from '../../../support/soon.js'
import { AUTOMATION, createRunsBench, runId } from '../../support/runs-support.js'

const { call, deploy, start, make } = await createRunsBench()

const INLINE = `
execution: inline
params:
- title: {type: string, required: true}
operations:
- Document.SetProperty: {xpath: 'dc:title', value: 'expr:ChainParameters["title"]'}
- Log: {message: traced}
`
await deploy('traced', INLINE)
await deploy(
  'walked',
  '- Context.FetchDocument\n- RunInNewTransaction: {id: Log, parameters: {message: x}}\n',
)
await deploy('telling', 'execution: inline\noperations:\n- Traces.Get: {traceKey: traced}\n')
await deploy('sent', '- Traces.Get: {traceKey: traced}\n')
const script = await call('PUT', '/api/v1/contributions/scripts/Demo.Greet', {
  body: 'params:\n- name: {type: string}\nscript: |\n  function run(input, params) { return "Hi " + params.name }\n',
  headers: { 'Content-Type': 'application/yaml' },
})
expect(script.status, script.text).toBe(201)
const { uid } = await make('/default-domain', 'traced', 'Note')

const TOGGLE = 'Traces.ToggleRecording'
const GET = 'Traces.Get'
const ask = (operation: string, params: object = {}, user = 'Administrator') =>
  call('POST', `${AUTOMATION}/${operation}`, { user, json: { params } })
const toggled = async (params: object = {}, user = 'Administrator', id = TOGGLE) =>
  (await ask(id, params, user)).json
const trace = async (traceKey: string, more: object = {}, id = GET): Promise<string | null> => {
  const answer = await ask(id, { traceKey, ...more })
  expect([200, 204], answer.text).toContain(answer.status)
  return answer.status === 204 ? null : answer.json.value
}
const run = (title: string, input = `doc:${uid}`) => start('traced', { json: { input, params: { title } } })

beforeEach(async () => {
  for (const enableTrace of [false, true]) await toggled({ enableTrace })
})

describe(TOGGLE, () => {
  test.each<[string, object, string, boolean, boolean]>([
    ['sets', { enableTrace: true }, 'Administrator', false, true],
    ['sets by text', { enableTrace: 'TRUE' }, 'Administrator', false, true],
    ['keeps', { enableTrace: true }, 'Administrator', true, true],
    ['unsets', { enableTrace: false }, 'Administrator', true, false],
    ['turns on', {}, 'Administrator', false, true],
    ['turns off', {}, 'Administrator', true, false],
    ['does nothing for others', { enableTrace: true }, 'ann', false, false],
    ['does nothing for others', { enableTrace: false }, 'ann', true, true],
    ['does nothing for others', {}, 'ann', true, true],
  ])('%s: %j by %s, from %s to %s', async (_, params, user, before, after) => {
    await toggled({ enableTrace: before })
    expect(await toggled(params, user)).toEqual({ 'entity-type': 'boolean', value: after })
    expect((await toggled({}, 'ann', 'Traces.toggleRecording')).value).toBe(after)
  })

  test('needs a user', async () => {
    expect((await call('POST', `${AUTOMATION}/${TOGGLE}`, { user: null, json: {} })).status).toBe(401)
  })
})

describe(GET, () => {
  test('reports what a chain did, by its place or as the last one', async () => {
    const first = await run('one')
    const second = await run('two')
    const failed = await run('three', 'doc:/')
    expect([first.status, second.status, failed.status]).toEqual([200, 200, 200])
    const reported = await trace('traced')
    expect(reported).toContain(`Run: ${runId(failed)}\n`)
    expect(await trace('traced', { index: -1 })).toBe(reported)
    expect(await trace('traced', { index: '2' })).toBe(reported)
    expect(await trace('traced', { index: 1 })).toContain(`Run: ${runId(second)}\n`)
    expect(await trace('traced', { index: 0 }, 'Traces.getTrace')).toMatch(
      new RegExp(
        [
          'Chain: traced',
          `Run: ${runId(first)}`,
          'User: Administrator',
          `Document: ${uid}`,
          'State: COMPLETED',
          'Started: [\\d-]+T[\\d:.]+Z',
          'Ended: [\\d-]+T[\\d:.]+Z',
          'Steps:',
          '  0\\. Document\\.SetProperty, Log \\(segment\\): done$',
        ].join('\n'),
      ),
    )
    expect(await trace('traced', { index: 3 })).toBeNull()
  })

  test('reports what a run failed with', async () => {
    const refused = await start('traced', { user: 'ann', json: { input: 'doc:/', params: { title: 'x' } } })
    expect(refused.status).toBe(403)
    const reported = await trace('traced')
    expect(reported).toContain('User: ann\n')
    expect(reported).toContain('State: FAILED\n')
    expect(reported).toContain('  0. Document.SetProperty, Log (segment): failed\n')
    expect(reported).toMatch(/\nFailure: 403 forbidden: .+/)
  })

  test('reports runs on Temporal, with each of their steps', async () => {
    const answer = await start('walked', { json: { input: `doc:${uid}` } })
    expect(answer.status, answer.text).toBe(200)
    await soon(async () => {
      const reported = await trace('walked')
      expect(reported).toContain(`Run: ${runId(answer)}\n`)
      expect(reported).toContain('State: COMPLETED\n')
      expect(reported).toMatch(
        / {2}0\. .*Context\.FetchDocument.* \(segment\): done\n {2}1\. .+ \(call\): done/,
      )
    })
  })

  test('reports calls of operations and scripts, by the names of their parameters', async () => {
    await ask('Demo.Greet', { name: 'secret text' })
    expect(await trace('Demo.Greet')).toMatch(
      /^Operation: Demo\.Greet\nUser: Administrator\nState: COMPLETED\nStarted: .+\nEnded: .+\nInput: void\nParameters: name$/,
    )
    await ask('Repository.GetDocument', { value: '/nowhere' }, 'ann')
    const reported = await trace('Repository.GetDocument')
    expect(reported).toContain('User: ann\nState: FAILED\n')
    expect(reported).toContain('\nFailure: 404 notFound: ')
    expect(await trace('Document.Create')).toBeNull()
  })

  test.each(['nothing', 'Traced', 'traced', 'constructor', "x' OR '1'='1"])(
    'knows nothing of %s',
    async (traceKey) => expect(await trace(traceKey)).toBeNull(),
  )

  test('remembers nothing from before it was turned on', async () => {
    await run('before')
    await ask('Log', { message: 'before' })
    expect([await trace('traced'), await trace('Log')]).not.toContain(null)
    for (const enableTrace of [true, false, true]) await toggled({ enableTrace })
    expect(await trace('Log')).toBeNull()
    await run('after')
    expect(await trace('traced', { index: 1 })).toBeNull()
  })

  test.each<[object, RegExp]>([
    [{}, /traceKey/],
    [{ traceKey: '' }, /traceKey/],
    [{ traceKey: 'traced', index: -2 }, /index/],
    [{ traceKey: 'traced', index: 'last' }, /index/],
    [{ traceKey: 'traced', index: 0.5 }, /index/],
  ])('refuses %j', async (params, message) => {
    const { status, json } = await ask(GET, params)
    expect([status, json['entity-type']]).toEqual([400, 'exception'])
    expect(json.message).toMatch(message)
  })

  test('says so while nothing is recorded', async () => {
    await toggled({ enableTrace: false })
    await run('unseen')
    const { status, json } = await ask(GET, { traceKey: 'traced' })
    expect([status, json.message]).toEqual([409, expect.stringContaining('Traces.ToggleRecording')])
  })

  test('is for administrators, in a deployed chain too', async () => {
    await run('theirs')
    for (const id of [GET, 'Traces.getTrace'])
      expect((await ask(id, { traceKey: 'traced' }, 'ann')).status).toBe(403)
    expect((await start('telling', { user: 'ann' })).status).toBe(403)
    expect((await call('POST', `${AUTOMATION}/${GET}`, { user: null, json: {} })).status).toBe(401)
    const { status, json } = await start('telling')
    expect([status, json.value]).toEqual([200, expect.stringContaining('Chain: traced\n')])
  })

  test('is refused by a worker of its own, which knows of no runs', async () => {
    const { status, json } = await start('sent')
    expect([status, json.message]).toEqual([422, expect.stringContaining('worker')])
  })
})
