import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { choosePort, freePort, isPortFree, LOOPBACK } from './ports.js'

let taken: Server
let port: number

beforeAll(async () => {
  port = await freePort()
  taken = createServer()
  await new Promise<void>((resolve) => taken.listen(port, LOOPBACK, resolve))
})
afterAll(() => new Promise((resolve) => taken.close(resolve)))

test('moves to a free port when the preferred one is taken', async () => {
  expect(await isPortFree(port)).toBe(false)
  const choice = await choosePort(port)
  expect(choice.isMoved).toBe(true)
  expect(await isPortFree(choice.port)).toBe(true)
})

test('keeps the preferred port when it is free', async () => {
  const preferred = await freePort()
  expect(await choosePort(preferred)).toEqual({ port: preferred, isMoved: false })
})

test('does not give away a port that was promised to another', async () => {
  const preferred = await freePort()
  const choice = await choosePort(preferred, new Set([preferred]))
  expect(choice).toMatchObject({ isMoved: true })
  expect(choice.port).not.toBe(preferred)
})
