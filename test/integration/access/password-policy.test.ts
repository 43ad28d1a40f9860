import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { parseSettings } from '../../../core/platform/settings/index.js'
import { createPlatform } from '../../../runtime/index.js'
import { createTestDatabase } from '../../support/index.js'
import { addUser, createClient } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const GOOD = 'x7Gk2p9QvLm3'
const STRICT = { ARCHIVOLT_PASSWORD_LENGTH: '12', ARCHIVOLT_COMMON_PASSWORDS: 'refused' }

const platform = await createTestPlatform({ ...STRICT, ARCHIVOLT_ADMIN_PASSWORD: GOOD })
const send = createClient(platform)
const Authorization = `Basic ${Buffer.from(`Administrator:${GOOD}`).toString('base64')}`
const call: typeof send = (method, path, options = {}) =>
  send(method, path, { headers: { Authorization }, ...options })

const API = '/api/v1'
const user = (properties: object) => ({ 'entity-type': 'user', properties })

describe('the policy for passwords', () => {
  test('is that of production unless a setting says otherwise', () => {
    const { passwords } = parseSettings({ DATABASE_URL: 'postgres://h/d' })
    expect(passwords).toEqual({ minLength: 12, refusesCommon: true })
  })

  test.each([
    ['short', 'x7Gk2p9QvLm', /at least 12 characters/],
    ['blank', ' '.repeat(12), /must not be empty or blank/],
    ['common', 'Password1234', /is too common/],
    ['like the name', 'newcomer-ann', /is too common/],
  ])(
    'refuses a %s one, of a new user, of a present one, and of oneself',
    async (_case, password, message) => {
      const created = await call('POST', `${API}/user`, {
        json: user({ username: 'newcomer-ann', password }),
      })
      expect([created.status, created.json.message]).toEqual([400, expect.stringMatching(message)])
      expect((await call('GET', `${API}/user/newcomer-ann`)).status).toBe(404)
    },
  )

  test('takes others, and holds those to it who change their own', async () => {
    await addUser(platform, 'ann')
    expect((await call('PUT', `${API}/user/ann`, { json: user({ password: 'Password1234' }) })).status).toBe(
      400,
    )
    expect((await call('PUT', `${API}/user/ann`, { json: user({ password: GOOD }) })).status).toBe(200)
    const own = { Authorization: `Basic ${Buffer.from(`ann:${GOOD}`).toString('base64')}` }
    const change = (newPassword: string) =>
      send('PUT', `${API}/me/changepassword`, { headers: own, json: { oldPassword: GOOD, newPassword } })
    expect([(await change('ann')).status, (await change(`${GOOD}4`)).status]).toEqual([400, 200])
  })

  test('is asked of the first administrator too', async () => {
    const database = await createTestDatabase()
    const settings = parseSettings({ DATABASE_URL: database.url, ARCHIVOLT_ADMIN_PASSWORD: 'Administrator1' })
    await expect(createPlatform(settings, pino({ level: 'silent' }))).rejects.toThrow(
      'ARCHIVOLT_ADMIN_PASSWORD does not fit the rules for passwords: password: is too common',
    )
  })
})
