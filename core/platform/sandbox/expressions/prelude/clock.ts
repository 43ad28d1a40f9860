/**
 * Sandbox code: clock and random numbers. An expression may be evaluated more than once before it has its value, and
 * then ask the host the same again: its clock stands still, and its random numbers are those of its seed.
 */
export const CLOCK = `
const NativeDate = Date
let instant
let state
const resetClock = () => { instant = state = undefined }
const now = () => (instant ??= host('now', 0, ''))
const random = () => {
  state = ((state ??= host('seed', 0, '')) + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), state | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
}
const HostedDate = function Date(...parts) {
  if (!new.target) return String(new NativeDate(now()))
  return construct(NativeDate, parts.length === 0 ? [now()] : parts, new.target)
}
HostedDate.prototype = NativeDate.prototype
HostedDate.prototype.constructor = HostedDate
HostedDate.now = now
HostedDate.UTC = NativeDate.UTC
HostedDate.parse = NativeDate.parse
globalThis.Date = HostedDate
Math.random = random
`
