import { fail } from '../../../platform/errors/index.js'
import type { Bench } from '../../conversions/index.js'
import type { PictureFormat } from './format.js'

/** As the property `picture:info` has it: pixels, bits of a channel, ImageMagick's names. */
export type PictureInfo = { width: number; height: number; depth: number; format: string; colorSpace: string }

/** What ImageMagick says of the first frame of a picture. @throws conversionFailed for one that it cannot read. */
export const identify = async (
  bench: Pick<Bench, 'run'>,
  { path, format }: { path: string; format: PictureFormat },
): Promise<PictureInfo> => {
  const said = await bench.run('identify', [
    '-format',
    '%w %h %z %m %[colorspace]\n',
    `${format.coder}:${path}[0]`,
  ])
  const [width, height, depth, coder, colorSpace] = said.trim().split(/\s+/)
  if (!(Number(width) > 0 && Number(height) > 0))
    throw fail('conversionFailed', 'The picture has no width and height')
  return {
    width: Number(width),
    height: Number(height),
    depth: Number(depth),
    format: coder ?? format.coder,
    colorSpace: colorSpace ?? '',
  }
}
