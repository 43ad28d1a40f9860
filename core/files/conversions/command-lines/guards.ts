import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inputGuards } from '../engines/input-guards.js'

const FFMPEG: ReadonlySet<string> = new Set(['ffmpeg', 'ffprobe'])

const IMAGE_MAGICK: ReadonlySet<string> = new Set(
  'animate compare composite convert identify magick mogrify montage stream'.split(' '),
)

/** Pictures of pixels. All else is refused: scripts, drawings, documents, addresses, and what other programs read. */
const POLICY = `<policymap>
  <policy domain="resource" name="width" value="16KP"/>
  <policy domain="resource" name="height" value="16KP"/>
  <policy domain="resource" name="memory" value="1GiB"/>
  <policy domain="resource" name="map" value="1GiB"/>
  <policy domain="resource" name="disk" value="1GiB"/>
  <policy domain="resource" name="list-length" value="500"/>
  <policy domain="delegate" rights="none" pattern="*"/>
  <policy domain="filter" rights="none" pattern="*"/>
  <policy domain="path" rights="none" pattern="@*"/>
  <policy domain="coder" rights="none" pattern="*"/>
  <policy domain="coder" rights="read|write" pattern="{JPEG,JPG,PNG,PNG8,PNG24,PNG32,GIF,GIF87,TIFF,TIF,WEBP,BMP,BMP2,BMP3,PPM,PGM,PNM,XC,NULL,MPC,MIFF,HEIC,AVIF,PSD,JP2,ICO,XCF}"/>
</policymap>
`

/** Restricts programs that open files by their content to that file, and nothing that it names. */
export const guardedArguments = (program: string, args: readonly string[]): string[] => {
  if (!FFMPEG.has(program)) return [...args]
  const guarded = args.flatMap((arg) => (arg === '-i' ? [...inputGuards, arg] : [arg]))
  return program === 'ffmpeg' ? ['-nostdin', '-progress', 'pipe:1', ...guarded] : guarded
}

/** The environment of a program: ImageMagick reads its policy from a folder that it names. */
export const guardedEnvironment = async (
  program: string,
  folder: string,
): Promise<Readonly<Record<string, string>>> => {
  if (!IMAGE_MAGICK.has(program)) return {}
  await writeFile(join(folder, 'policy.xml'), POLICY)
  return { MAGICK_CONFIGURE_PATH: folder }
}
