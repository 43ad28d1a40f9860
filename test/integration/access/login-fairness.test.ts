import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { createApp } from '../../../api/app.js'
import { createPlatform } from '../../../runtime/index.js'
import { addUser, USER_PASSWORD } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

/** Hashes take longer than all else about a login, as they do in the product: guesses are to wait for them. */
const cost = { log2N: 14, p: 1 }

const { settings } = await createTestPlatform({ ARCHIVOLT_PROXIES: '1' })
const platform = await createPlatform(
  { ...settings, passwords: { ...settings.passwords, cost } },
  pino({ level: 'silent' }),
)
afterAll(() => platform.close())
const app = createApp(platform)
for (const name of ['ann', 'bob', 'cora']) await addUser(platform, name)

const GUESSES = 60

/** A first login, as the proxy reports it. */
const login = async (address: string, name: string, password: string): Promise<Response> => {
  const credentials = Buffer.from(`${name}:${password}`).toString('base64')
  return app.request('/api/v1/me', {
    headers: { Authorization: `Basic ${credentials}`, 'X-Forwarded-For': `1.1.1.1, ${address}` },
  })
}

test.each([
  ['one name after the other at one address', (index: number) => ['10.0.0.1', `nobody-${index}`]],
  ['one name at many addresses', (index: number) => [`10.0.${index % 20}.1`, 'ann']],
])('whoever logs in does not wait for those who guess %s', async (_, guess) => {
  let answered = 0
  const guesses = Array.from({ length: GUESSES }, async (_unused, index) => {
    const [address = '', name = ''] = guess(index)
    const { status } = await login(address, name, `wrong-${index}`)
    answered++
    return status
  })
  // They are there first.
  await expect.poll(() => answered).toBeGreaterThan(0)
  const before = answered
  const name = guess(0)[1] === 'ann' ? 'bob' : 'cora'
  expect((await login('10.9.9.9', name, USER_PASSWORD)).status).toBe(200)
  // One turn of each address at most, which is one guess in the first case.
  const places = new Set(Array.from({ length: GUESSES }, (_unused, index) => guess(index)[0])).size
  expect(answered - before).toBeLessThanOrEqual(places + 6)
  expect(answered).toBeLessThan(GUESSES - 20)
  for (const status of await Promise.all(guesses)) expect([401, 429]).toContain(status)
})

test('too many guesses are refused, with when to try again, and nobody else is', async () => {
  const refused: Response[] = []
  // What is not refused is answered seconds later, which nobody waits for here.
  for (let index = 0; index < 60; index++)
    void login('10.0.0.7', 'ann', `guess-${index}`).then((answer) => {
      if (answer.status === 429) refused.push(answer)
    })
  await expect.poll(() => refused.length).toBeGreaterThan(40)
  expect(Number(refused[0]?.headers.get('Retry-After'))).toBeGreaterThan(0)
  expect(await refused[0]?.json()).toMatchObject({ 'entity-type': 'exception', code: 'tooManyRequests' })
  expect((await login('10.0.0.8', 'ann', USER_PASSWORD)).status).toBe(200)
})

test('many calls of one client with the same password are no guesses', async () => {
  await addUser(platform, 'dora')
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => login('10.0.0.9', 'dora', USER_PASSWORD)),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
})
