import { describe, expect, test } from 'vitest'
import { workspaceName } from './workspace-name.js'

describe('the name of a user workspace', () => {
  test.each([
    ['ann', 'ann'],
    ['Ann Müller', 'Ann Müller'],
    ['ann@example.org', 'ann~40example.org'],
    ['a/b', 'a~2fb'],
    ['a\\b?c&d;e~f', 'a~5cb~3fc~26d~3be~7ef'],
    ['..', '~2e~2e'],
    ['.', '~2e'],
    [' ann ', '~20ann~20'],
    ['ann\u0000', 'ann~00'],
    ['@ann', '~40ann'],
  ])('of %j is %j', (username, name) => {
    expect(workspaceName(username)).toBe(name)
  })

  test('is another one for another user', () => {
    const users = ['a/b', 'a-b', 'a~2fb', 'a\\b', 'a b', 'a@b', 'a~b']
    expect(new Set(users.map(workspaceName)).size).toBe(users.length)
  })
})
