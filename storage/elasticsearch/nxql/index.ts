export { type CompiledSearch, compileSearch } from './compile.js'
