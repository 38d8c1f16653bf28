export { scopesOfRoles } from './users/role';
