import { describe, expect, test } from 'vitest'
import { tagLabels } from './label.js'

describe('labels', () => {
  test.each([
    [['News'], ['news']],
    [['a b', 'A/B', "a'b", 'a\\b', 'a%b', 'a\tb'], ['ab']],
    [['ÉTÉ', 'été'], ['été']],
    [
      ['one', ' ', '', 'two'],
      ['one', 'two'],
    ],
    [['x'.repeat(255)], ['x'.repeat(255)]],
  ])('of %j are %j', (written, labels) => {
    expect(tagLabels(written)).toEqual(labels)
  })

  test.each([
    [[], /at least one tag/],
    [[' ', ''], /at least one tag/],
    [['%'], /'%' has no character/],
    [['good', "/ '"], /has no character/],
    [['x'.repeat(256)], /longer than 255/],
    [Array(1_001).fill('x'), /more than 1000 tags/],
  ])('are refused for %j', (written, message) => {
    expect(() => tagLabels(written)).toThrow(message)
  })
})
