import { expect, test, vi } from 'vitest'
import {
  createAuthenticator,
  createIdentityChanges,
  hashPassword,
} from '../../../core/access/identity/index.js'
import { SYSTEM } from '../../../core/access/security/index.js'
import { createIdentityStore, createLoginTries } from '../../../storage/postgres/index.js'
import { addUser, createClient } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform()
const store = createIdentityStore(platform.database.sql)
const call = createClient(platform)

/** Cheap, so that a hundred guesses take a second. */
const cost = { log2N: 10, p: 1 }

const authenticatorWith = (onFailed: Parameters<typeof createAuthenticator>[0]['onFailed']) => {
  const rules = () => platform.readSession(SYSTEM).identities.rules
  return createAuthenticator({
    store,
    tries: createLoginTries(platform.database.sql),
    rules,
    passwords: { cost },
    changes: createIdentityChanges(),
    onFailed,
  })
}

test('an account has a hundred wrong passwords an hour, from wherever', async () => {
  for (const name of ['edna', 'bob']) {
    await addUser(platform, name)
    await store.setPasswordHash(name, await hashPassword('right', cost))
  }
  const failed = vi.fn()
  const { verify } = authenticatorWith(failed)
  expect(await verify('edna', 'right', () => '10.1.0.1')).toBeDefined()
  for (let guess = 0; guess < 100; guess++)
    expect(
      await verify(guess % 2 ? 'edna' : 'Edna', `guess-${guess}`, () => `10.2.${guess}.1`),
    ).toBeUndefined()
  expect(failed).toHaveBeenCalledTimes(100)
  expect(failed).toHaveBeenCalledWith({ account: 'Edna', address: '10.2.98.1', reason: 'wrong' })

  await expect(verify('edna', 'another', () => '10.3.0.1')).rejects.toMatchObject({
    code: 'tooManyRequests',
    retryAfter: expect.any(Number),
  })
  expect(failed).toHaveBeenLastCalledWith({ account: 'edna', address: '10.3.0.1', reason: 'tooMany' })
  // Whoever has logged in goes on, and so do others.
  await store.setPasswordHash('edna', await hashPassword('right', cost))
  expect(await verify('edna', 'right', () => '10.4.0.1')).toBeDefined()
  expect(await verify('bob', 'right', () => '10.2.1.1')).toBeDefined()

  const another = authenticatorWith(failed)
  await expect(another.verify('edna', 'right', () => '10.5.0.1')).rejects.toMatchObject({
    code: 'tooManyRequests',
  })
  // Of the address of a login no process has to remember more than all do.
  expect(await another.verify('edna', 'right', () => '10.1.0.1')).toBeDefined()
  const reset = (user: string, name: string) =>
    call('DELETE', `/api/v1/user/${name}/@loginAttempts`, { user })
  expect((await reset('Administrator', 'nobody')).status).toBe(404)
  expect((await reset('Administrator', 'edna')).status).toBe(204)
  expect(await authenticatorWith(failed).verify('edna', 'right', () => '10.5.0.1')).toBeDefined()
})

test('a refused login is logged with account and address', async () => {
  const warn = vi.spyOn(platform.logger, 'warn')
  const Authorization = `Basic ${Buffer.from(`${'n'.repeat(300)}:wrong`).toString('base64')}`
  expect((await call('GET', '/api/v1/me', { headers: { Authorization } })).status).toBe(401)
  expect(warn).toHaveBeenCalledWith(
    { account: 'n'.repeat(255), address: '', reason: 'wrong' },
    'login failed',
  )
})
