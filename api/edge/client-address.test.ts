import { expect, test } from 'vitest'
import { clientPlace, placeOf } from './client-address.js'
import type { RequestContext } from './environment.js'

test.each([
  ['10.0.0.7', '10.0.0.7'],
  ['::ffff:10.0.0.7', '10.0.0.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0db8:0001:0002::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['unknown', 'unknown'],
  ['', ''],
])('%s is the place %s', (address, place) => {
  expect(placeOf(address)).toBe(place)
})

const asked = (remoteAddress: string, forwarded?: string): RequestContext =>
  ({
    env: { incoming: { socket: { remoteAddress } } },
    req: { header: (name: string) => (name === 'X-Forwarded-For' ? forwarded : undefined) },
  }) as unknown as RequestContext

test.each([
  ['a caller says what he likes', 0, '1.2.3.4', '10.0.0.1'],
  ['the proxy says who asked it', 1, '9.9.9.9, 1.2.3.4', '1.2.3.4'],
  ['of two proxies the outer one', 2, '9.9.9.9, 1.2.3.4, 10.1.1.1', '1.2.3.4'],
  ['around the proxy nobody is named', 1, undefined, '10.0.0.1'],
  ['fewer are named than there are proxies', 3, '1.2.3.4', '10.0.0.1'],
])('%s', (_, proxies, forwarded, expected) => {
  expect(clientPlace(asked('10.0.0.1', forwarded), proxies)).toBe(expected)
})
