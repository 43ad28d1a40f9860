import { expect, test } from 'vitest'
import { planVideoArguments, planVideoSize, readProgress } from './video-plan.js'
import { parseProbe } from './video-probe.js'

test.each([
  [1920, 1080, '480', 854, 480],
  [1280, 720, undefined, 1280, 720],
  [641, 481, undefined, 642, 482],
  [100, 100, '51', 52, 52],
  [1, 1, undefined, 2, 2],
  [1080, 1920, '480', 270, 480],
])('%i x %i at height %s is %i x %i', (width, height, asked, expectedWidth, expectedHeight) => {
  const parameters: Record<string, string> = asked ? { height: asked } : {}
  expect(planVideoSize({ width, height, durationSeconds: 1 }, parameters)).toEqual({
    width: expectedWidth,
    height: expectedHeight,
  })
})

test.each(['0', '-1', 'tall', '480; rm -rf /', '9999999'])('height %j is a bad request', (height) => {
  expect(() => planVideoSize({ width: 4, height: 4, durationSeconds: 1 }, { height })).toThrow(
    expect.objectContaining({ status: 400 }),
  )
})

const plan = (destinationMimeType: string) =>
  planVideoArguments({ input: '/in/a', output: '/out/b', width: 854, height: 480, destinationMimeType })

test('mp4 arguments', () => {
  const args = plan('video/mp4')
  const before = args.slice(0, args.indexOf('-i'))
  expect(before).toEqual(
    expect.arrayContaining(['-nostdin', '-protocol_whitelist', 'file', '-format_whitelist']),
  )
  expect(args.slice(args.indexOf('-i'))).toEqual([
    ...['-i', '/in/a', '-y', '-acodec', 'aac', '-vcodec', 'libx264', '-filter:v', 'scale=854:480'],
    ...['-map', '0:v:0', '-map', '0:a:0?', '-pix_fmt', 'yuv420p'],
    ...['-preset', 'veryfast', '-movflags', '+faststart', '-f', 'mp4', '/out/b'],
  ])
})

test('webm arguments', () => {
  expect(plan('video/webm')).toEqual(
    expect.arrayContaining(['libvpx-vp9', 'libopus', 'webm', 'scale=854:480']),
  )
})

test('a type that is not written', () => {
  expect(() => plan('video/ogg')).toThrow('Videos cannot be written as video/ogg')
})

test('play lists are not among the containers that may be opened', () => {
  const containers = plan('video/mp4')[plan('video/mp4').indexOf('-format_whitelist') + 1]!.split(',')
  for (const name of ['hls', 'dash', 'concat', 'image2']) expect(containers).not.toContain(name)
})

test.each([
  ['out_time_us=500000\nprogress=continue\n', 2, 0.25],
  ['out_time_us=500000\nout_time_us=1000000\n', 2, 0.5],
  ['out_time_us=9000000\n', 2, 1],
  ['out_time_us=N/A\n', 2, null],
  ['frame=1\n', 2, null],
  ['out_time_us=500000\n', 0, null],
])('progress of %j', (lines, durationSeconds, expected) => {
  expect(readProgress(lines, durationSeconds)).toBe(expected)
})

test.each([
  [{ streams: [{ codec_type: 'audio' }, { codec_type: 'video', width: 4, height: 2 }] }, [4, 2, 0]],
  [
    {
      streams: [{ codec_type: 'video', width: 4, height: 2, side_data_list: [{ rotation: -90 }] }],
      format: { duration: '1.5' },
    },
    [2, 4, 1.5],
  ],
])('probe %j', (json, [width, height, durationSeconds]) => {
  expect(parseProbe(JSON.stringify(json))).toEqual({ width, height, durationSeconds })
})

test('a sound file is no video', () => {
  expect(() => parseProbe('{"streams":[{"codec_type":"audio"}]}')).toThrow('The file holds no video')
})
