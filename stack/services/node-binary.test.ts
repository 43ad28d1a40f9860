import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { chooseNode, describeNode, type NodeBinary } from './node-binary.js'

const installed = (version: string): NodeBinary => ({ command: '/there/node', version, source: 'installed' })

test('a newer installed Node runs the servers itself', () => {
  expect(chooseNode(installed('26.1.0'))).toEqual(installed('26.1.0'))
})

test('an old one does where the package is not there', () => {
  const chosen = chooseNode(installed('20.19.0'), 'node-of-no-platform')
  expect(chosen).toEqual(installed('20.19.0'))
  expect(describeNode(chosen)).toBe('API and worker run on Node 20.19.0, the installed one.')
})

test.runIf(process.platform === 'linux')('the Node of the package takes the place of an old one', () => {
  const chosen = chooseNode(installed('20.19.0'))
  expect(chosen).toMatchObject({ source: 'package', version: expect.stringMatching(/^24\./) })
  expect(execFileSync(chosen.command, ['--version'], { encoding: 'utf8' }).trim()).toBe(`v${chosen.version}`)
  expect(describeNode(chosen)).toMatch(/^API and worker run on Node 24\..* of the package node-linux-/)
})
