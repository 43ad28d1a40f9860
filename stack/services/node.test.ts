import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { NODE_OPTIONS } from './node.js'

test('the servers may collect the buffers of files that have passed', () => {
  expect(
    execFileSync(process.execPath, [...NODE_OPTIONS, '-p', 'typeof gc'])
      .toString()
      .trim(),
  ).toBe('function')
})

test.each(['Dockerfile', 'docker-compose.yml', 'package.json'])(
  '%s starts them with the same options',
  (name) => {
    const text = readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
    const starts = [...text.matchAll(/["\s]node"?,? (.*?)"?,? "?dist\/(?:api|worker)\.js/g)]
    const options = starts.map(([, given = '']) => given.replaceAll(/[",]/g, ''))
    expect(options.length).toBeGreaterThan(0)
    for (const given of options) expect(given).toBe(NODE_OPTIONS.join(' '))
  },
)
