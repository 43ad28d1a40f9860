import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createCliServer } from '../../support/cli-support.js'

const { cli, folder, file } = await createCliServer()

const page = readFileSync('docs/workflows.md', 'utf8')
const section = page.slice(page.indexOf('## Try a model'), page.indexOf('## In Temporal'))
const blocks = [...section.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, kind, text = '']) => ({ kind, text }))
const [prepared, model, asked, command, printed] = blocks

/** Calls what stands in a block, in the folder of the files. */
const calls = async (text = '') => {
  const outcomes = []
  for (const line of text.trim().split('\n')) {
    const words = line
      .replace(/^npx archivolt /, '')
      .split(/ +/)
      .map((word) => (/^\w+\.(yaml|json)$/.test(word) ? join(folder, word) : word))
    outcomes.push(await cli(words))
  }
  return outcomes
}

/** A model whose one rule runs a chain, and ends after a day. */
const escalating = (chain: string) => `
chains:
  ask-again:
  - Context.SetWorkflowVar: {name: asked, value: ${chain}}
routes:
  asking:
    variables: {asked: {}}
    nodes:
      begin: {start: true, transitions: [{name: go, targetId: ask}]}
      ask:
        hasTask: true
        taskAssigneesExpr: workflowInitiator
        taskButtons: [{name: ok}]
        transitions: [{name: go, targetId: end}]
        escalationRules:
        - {name: again, condition: 'true', multipleExecution: true, chain: ask-again}
      end: {stop: true}
`

beforeAll(async () => {
  await writeFile(join(folder, 'review.yaml'), model?.text ?? '')
  await writeFile(join(folder, 'case.json'), asked?.text ?? '')
})

test('the example of the page prints what the page shows', async () => {
  expect((await calls(prepared?.text)).map(({ code, err }) => [code, code === 0 ? '' : err])).toEqual(
    Array(4).fill([0, '']),
  )
  const [tried] = await calls(command?.text)
  expect(tried).toEqual({ code: 0, out: printed?.text, err: '' })
})

test('what fails again and again is shown ten times and counted, and the exit code says so', async () => {
  const path = await file('asking.yaml', escalating('"expr:nothing.at.all"'))
  const trial = await file('hours.json', '{"end": "PT2H"}')
  const { code, out } = await cli(['try-workflow', 'asking', '--model', path, '--case', trial])
  expect(code).toBe(1)
  const failing = out.split('\n').filter((line) => line.includes('which fails'))
  expect(failing).toHaveLength(11)
  expect(failing.at(-1)).toMatch(/^\d+ more until \S+Z: asking {2}ask: rule again runs chain ask-again/)
})

test('variables and buttons of a case that the model does not have are warnings', async () => {
  const path = await file('unsure.yaml', escalating('1'))
  const answers = [{ node: 'ask', after: 'PT1M', button: 'okay' }]
  const trial = await file('unsure.json', JSON.stringify({ variables: { askd: 1 }, answers }))
  const tried = await cli(['try-workflow', 'asking', '--model', path, '--case', trial])
  expect(tried).toMatchObject({
    code: 0,
    err: [
      'warning: the workflow takes no variable "askd", which is ignored, did you mean "asked"?',
      'warning: ask: the task has no button "okay"; its buttons are ok',
      '',
    ].join('\n'),
  })
})

test('a workflow that does not end is no success', async () => {
  const path = await file('open.yaml', escalating('1'))
  const trial = await file('open.json', '{"end": "PT1S"}')
  const tried = await cli(['try-workflow', 'asking', '--model', path, '--case', trial])
  expect(tried).toMatchObject({ code: 1, out: expect.stringContaining('The workflow still runs') })
})

test('every mistake of the file is shown where it stands', async () => {
  const text = escalating('1')
    .replace('Context.SetWorkflowVar', 'Context.SetWorkflwVar')
    .replace('targetId: end', 'targetId: ned')
  const path = await file('wrong.yaml', text)
  const { code, out, err } = await cli(['try-workflow', 'asking', '--model', path])
  expect({ code, out }).toEqual({ code: 5, out: '' })
  expect(err).toContain(`${path}:14:44: the route has no node "ned"\n    `)
  expect(err).toMatch(/wrong\.yaml:4:\d+: .*Context\.SetWorkflwVar/)
  expect(err).toMatch(/archivolt: \d problems; nothing was tried/)
})
