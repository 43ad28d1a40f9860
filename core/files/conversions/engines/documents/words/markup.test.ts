import { expect, test } from 'vitest'
import { computingTime } from '../../../../../../test/support/computing-time.js'
import { textOfMarkup } from './markup.mjs'

test('the words are what a reader sees', () => {
  const page = `<html><head><title>Tab</title><style>a { b: c }</style></head><body><h1>Head</h1>
    <p>one&nbsp;<b>two</b> &amp; a &lt; b &#x41;&eacute; &none;</p>3 < 4<br>last<script>x()</script><!-- no --></body>`
  expect(textOfMarkup(page)).toBe('Head\none two & a < b Aé &none;\n3 < 4\nlast')
  expect(textOfMarkup('<p>a<script src="x"/>b</p><![CDATA[c]]>')).toBe('a b\nc')
  expect(textOfMarkup('a<script>never closed')).toBe('a')
})

// Each took minutes when what is never closed was looked for again and again.
test.each(['<script>', '<!--', '<', '<br ', '</', '<?', '<![CDATA[', '\v', '<b></i>', '&amp'])(
  'reading takes time by the length, whatever is repeated: %j',
  (part) => {
    const markup = `${part.repeat(100_000)}x`
    expect(computingTime(() => textOfMarkup(markup))).toBeLessThan(3000)
  },
)
