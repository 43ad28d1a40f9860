import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Locked = { version?: string; link?: boolean; integrity?: string; optionalDependencies?: object }

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, Locked>
}
const installed = Object.entries(packages).filter(([path, { link }]) => path !== '' && !link)

test('the lock file has a digest of every package, of other platforms too', () => {
  expect(installed.length).toBeGreaterThan(300)
  const without = installed.filter(
    ([, { integrity = '' }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity),
  )
  expect(without.map(([path, { version }]) => `${path}@${version}`)).toEqual([])
})

test('no optional package is missing in it', () => {
  const names = new Set(installed.map(([path]) => path.replace(/^.*node_modules\//, '')))
  const missing = installed.flatMap(([, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !names.has(name)),
  )
  expect(missing).toEqual([])
})
