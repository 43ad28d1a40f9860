import { expect, test } from 'vitest'
import { coldArguments } from './cold.js'
import { exportFormatOf, importFilterOf } from './filters.js'

test.each([
  ['text/plain', 'Text (encoded)'],
  ['text/markdown', 'Text (encoded)'],
  ['text/csv', 'Text - txt - csv (StarCalc)'],
  ['text/html', 'HTML (StarWriter)'],
  ['text/rtf', undefined],
  ['application/msword', undefined],
])('%s is read by %s', (mimeType, filter) => {
  expect(importFilterOf(mimeType)?.filter).toBe(filter)
})

test('a format that LibreOffice does not write', () => {
  expect(() => exportFormatOf('video/mp4')).toThrow('LibreOffice does not write video/mp4')
})

test('the command line of a cold process', () => {
  const { filters, extension } = exportFormatOf('application/pdf')
  const job = { input: '/a/document', output: `/a/result.${extension}`, filters }
  const cold = (importFilter = importFilterOf('text/plain')) =>
    coldArguments({ job: { ...job, importFilter }, profile: '/p', outputFolder: '/o' })
  expect(cold()).toEqual([
    '-env:UserInstallation=file:///p',
    ...['--headless', '--invisible', '--norestore', '--nologo', '--nodefault', '--nolockcheck'],
    '--infilter=Text (encoded):UTF8,LF,,,',
    ...['--convert-to', 'pdf', '--outdir', '/o', '/a/document'],
  ])
  expect(cold(null).some((arg) => arg.startsWith('--infilter'))).toBe(false)
})
