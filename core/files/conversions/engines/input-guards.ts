/**
 * Containers that ffmpeg may open. Play lists and scripts of its own (HLS, DASH, concat) are left out, because they
 * name further files to read.
 */
const CONTAINERS = [
  ...'mov mp4 matroska webm avi mpeg mpegts mpegvideo ogg flv asf mxf gxf'.split(' '),
  ...'dv gif rm m4v h261 h263 h264 hevc wtv'.split(' '),
  ...'mp3 wav flac aac aiff amr ac3 caf au w64 ape wv'.split(' '),
]

/** Restricts ffmpeg and ffprobe, which read hostile files, to the file itself and nothing that it refers to. */
export const inputGuards: readonly string[] = [
  '-protocol_whitelist',
  'file',
  '-format_whitelist',
  CONTAINERS.join(','),
]
