/**
 * File extensions of the containers with moving pictures that ffmpeg writes, by which it chooses one. `mkv` and the
 * like hold any codec; which one is written is the command line's affair.
 */
const EXTENSIONS: ReadonlySet<string> = new Set(
  [
    'mp4 m4v mov qt mkv mk3d webm ogg ogv avi flv f4v swf wmv asf 3gp 3g2 ismv psp',
    'mpg mpeg m1v m2v mpv vob svcd ts m2t m2ts mts mxf gxf dv nut rm wtv gif apng webp ivf amv mjpg mjpeg y4m',
    'h261 h263 h264 264 hevc h265 265 obu drc vc1 cavs avs2 dnxhd roq',
  ].flatMap((line) => line.split(' ')),
)

/** The extension without its dot and in lower case; undefined for one that ffmpeg writes no film for. */
export const videoExtensionOf = (text: string): string | undefined => {
  const extension = text.replace(/^\./, '').toLowerCase()
  return EXTENSIONS.has(extension) ? extension : undefined
}
