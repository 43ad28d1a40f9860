import { expect, test } from 'vitest'
import { schedulesPoint } from './index.js'

const { read, write } = schedulesPoint.xml!

const INCUMBENT = `<schedule id="nightly" enabled="true">
  <username>Administrator</username><eventId>tidyUp</eventId><eventCategory>default</eventCategory>
  <cronExpression>0 30 3 * * ?</cronExpression><timezone>Europe/Berlin</timezone>
</schedule>`
const OWN = `<schedule id="nightly" enabled="false">
  <chain>tidy</chain><cronExpression>0 3 * * *</cronExpression><input>/a</input><param name="days">30</param>
</schedule>`

test.each<[string, object]>([
  [
    INCUMBENT,
    {
      event: 'tidyUp',
      category: 'default',
      cron: '0 30 3 * * ?',
      timezone: 'Europe/Berlin',
      username: 'Administrator',
    },
  ],
  [OWN, { chain: 'tidy', cron: '0 3 * * *', input: '/a', params: { days: '30' }, enabled: false }],
])('is read, and written again: %s', (text, content) => {
  expect(read('nightly', text)).toEqual({ content, problems: [] })
  const parsed = schedulesPoint.schema.parse(content)
  expect(schedulesPoint.schema.parse(read('nightly', write('nightly', parsed)).content)).toEqual(parsed)
})

test.each([
  ['<schedule id="other"/>', /deployed as "nightly", but calls itself "other"/],
  ['<schedule jobFactoryClass="org.x.Y"/>', /unknown attribute "jobFactoryClass"/],
  ['<schedule><cron>x</cron></schedule>', /unexpected element <cron>/],
])('is refused: %s', (text, message) => {
  expect(read('nightly', text).problems[0]?.message).toMatch(message)
})
