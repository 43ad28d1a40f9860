import { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { RequestContext } from './environment.js'
import { incomingOf, requireConnected } from './outgoing.js'

test('nothing is made for a caller who has gone', () => {
  const outgoing = new ServerResponse({ method: 'GET' } as never)
  outgoing.assignSocket(new Socket())
  const c = { env: { outgoing } } as unknown as RequestContext
  expect(() => requireConnected(c)).not.toThrow()
  outgoing.destroy()
  expect(() => requireConnected(c)).toThrow('has closed the connection')
  // An app that is called without a server has nobody who could go.
  const without = {} as unknown as RequestContext
  expect(() => requireConnected(without)).not.toThrow()
  expect(incomingOf(without)).toBeUndefined()
})
