import { expect, test } from 'vitest'
import { formBody } from './form-body.js'

const FILE = new URL('./form-body.test.ts', import.meta.url).pathname

test('is a form that others can read', async () => {
  const { body, headers } = formBody('{"params":{}}', [FILE, FILE])
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  const form = await new Response(Buffer.concat(chunks), { headers }).formData()
  expect([...form.keys()]).toEqual(['params', 'input#0', 'input#1'])
  expect(form.get('params')).toBe('{"params":{}}')
  const file = form.get('input#1') as File
  expect(file.name).toBe('form-body.test.ts')
  expect(await file.text()).toContain('is a form that others can read')
})
