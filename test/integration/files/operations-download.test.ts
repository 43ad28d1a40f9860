import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { withFile } from '../support/bad-input-support.js'
import { AUTOMATION, createSecurityBench } from '../support/security-support.js'

const { call } = await createSecurityBench()

test('JsonStack.ToggleDisplay shows what went wrong inside, when an administrator says so', async () => {
  const toggle = async (user: string, params = {}) =>
    (await call('POST', `${AUTOMATION}/JsonStack.ToggleDisplay`, { user, json: { params } })).json.value
  const shows = async () =>
    'stacktrace' in (await call('GET', '/api/v1/path/nowhere', { user: 'reader' })).json
  expect([await toggle('reader', { enableTrace: true }), await shows()]).toEqual([false, false])
  expect([await toggle('Administrator', { enableTrace: true }), await shows()]).toEqual([true, true])
  expect([await toggle('reader'), await shows()]).toEqual([true, true])
  expect([await toggle('Administrator'), await shows()]).toEqual([false, false])
  expect(await toggle('Administrator')).toBe(true)
  expect(await toggle('Administrator', { enableTrace: false })).toBe(false)
})

const FILES = `${AUTOMATION}/WebUI.DownloadFile`

test('a small file is the answer itself', async () => {
  const answer = await call('POST', FILES, { ...withFile({}), user: 'reader' })
  expect([answer.status, answer.text]).toEqual([200, 'hello'])
  const alias = await call('POST', `${AUTOMATION}/Seam.DownloadFile`, withFile({}))
  expect([alias.status, alias.text]).toEqual([200, 'hello'])
})

test('without a file it is refused', async () => {
  expect(await call('POST', FILES, { json: {} })).toMatchObject({ status: 400 })
})

test('a big one has an address of its own, for its caller, in parts', async () => {
  const bytes = randomBytes(5 * 1024 * 1024 + 10)
    .toString('latin1')
    .replaceAll(/[^a-z]/g, 'x')
  const file = new File([bytes], 'big.txt', { type: 'text/plain' })
  const { status, headers } = await call('POST', FILES, { ...withFile({}, file), user: 'reader' })
  expect(status).toBe(302)
  const address = new URL(headers.get('Location') ?? '').pathname
  expect(address).toMatch(/\/nxbigblob\/[0-9a-f-]{36}$/)
  const path = address.slice(address.indexOf('/nxbigblob'))
  const get = (more: object, method = 'GET') => call(method, path, { user: 'reader', ...more })

  const whole = await get({})
  expect(whole.status).toBe(200)
  expect(whole.text === bytes).toBe(true)
  expect(whole.headers.get('Content-Disposition')).toContain('big.txt')
  const part = await get({ headers: { Range: 'bytes=5242880-' } })
  expect([part.status, part.text]).toEqual([206, bytes.slice(5242880)])
  expect(part.headers.get('Content-Range')).toBe(`bytes 5242880-${bytes.length - 1}/${bytes.length}`)
  expect((await get({}, 'HEAD')).headers.get('Content-Length')).toBe(String(bytes.length))

  for (const user of ['writer', 'Administrator'])
    expect((await call('GET', path, { user })).status, user).toBe(404)
  expect((await call('GET', path, { user: null })).status).toBe(401)
  expect((await get({}, 'GET')).status).toBe(200)
  expect((await call('GET', '/nxbigblob/none', { user: 'reader' })).status).toBe(404)
})
