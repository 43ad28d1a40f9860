import { expect, test } from 'vitest'
import { basicCredentials } from './basic.js'

const encode = (text: string): string => Buffer.from(text, 'utf8').toString('base64')

test.each([
  [`Basic ${encode('ann:secret')}`, { username: 'ann', password: 'secret' }],
  [`bAsIc   ${encode('ann:a:b:c')}`, { username: 'ann', password: 'a:b:c' }],
  [`Basic ${encode('Zoë:pässwörd')}`, { username: 'Zoë', password: 'pässwörd' }],
  [`Basic ${encode(':secret')}`, undefined],
  [`Basic ${encode('ann:')}`, undefined],
  [`Basic ${encode('ann')}`, undefined],
  [`Basic ${encode('ann:secret\0')}`, undefined],
  [`Basic ${encode('an\0n:secret')}`, undefined],
  ['Basic', undefined],
  ['Basic !!!', undefined],
  ['Bearer abc', undefined],
  [undefined, undefined],
])('credentials of %s', (header, expected) => {
  expect(basicCredentials(header)).toEqual(expected)
})
