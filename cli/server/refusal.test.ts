import { expect, test } from 'vitest'
import { refusalOf } from './refusal.js'

const refused = (status: number) =>
  refusalOf(Response.json({ 'entity-type': 'exception', status, message: 'Wrong password' }, { status }))

test('a wrong password may be that of the variables, which come before a login', async () => {
  const { message } = await refused(401)
  expect(message).toBe(
    'Wrong password: log in with "archivolt login", or correct ARCHIVOLT_USER and ARCHIVOLT_PASSWORD, which come first',
  )
  expect((await refused(403)).message).toBe('Wrong password')
})
