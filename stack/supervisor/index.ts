export { createSupervisor, type Leftover, type Service, type Supervisor } from './supervisor.js'
