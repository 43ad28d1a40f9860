export { createSupervisor, type Service, type Supervisor } from './supervisor.js'
