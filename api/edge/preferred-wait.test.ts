import { expect, test } from 'vitest'
import type { RequestContext } from './environment.js'
import { preferredWaitMs } from './preferred-wait.js'

const asked = (prefer?: string): RequestContext =>
  ({
    req: { header: (name: string) => (name === 'Prefer' ? prefer : undefined) },
  }) as unknown as RequestContext

test.each([
  ['who says nothing', undefined, 30_000],
  ['who prefers something else', 'return=minimal', 30_000],
  ['who says no number', 'wait=long', 30_000],
  ['whose word only ends like it', 'await=5', 30_000],
  ['who does not wait', 'wait=0', 0],
  ['who says a number', 'wait=5', 5_000],
  ['who says it in capitals', 'WAIT=5', 5_000],
  ['who prefers other things, too', 'respond-async, wait=5;foo', 5_000],
  ['who would wait longer than a connection lasts', 'wait=999999', 300_000],
])('%s waits as long as that', (_, prefer, milliseconds) => {
  expect(preferredWaitMs(asked(prefer))).toBe(milliseconds)
})
