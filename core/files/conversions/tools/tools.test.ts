import { expect, test } from 'vitest'
import { createTools } from './tools.js'

test('finds nothing on an empty or relative path', () => {
  for (const path of ['', '.', 'bin:relative/folder', '/no/such/folder']) {
    const tools = createTools({ path })
    expect([tools.find('soffice'), tools.findAll('python3')]).toEqual([null, []])
  }
})

test('a command that is given replaces the search', () => {
  const tools = createTools({ path: '', commands: { python3: process.execPath, ffmpeg: '/no/such/program' } })
  expect([tools.find('python3'), tools.find('ffmpeg')]).toEqual([process.execPath, null])
})

test('a folder is no program', () => {
  expect(createTools({ path: '', commands: { ffmpeg: '/' } }).find('ffmpeg')).toBe(null)
})
