import { createHash, timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';

const digest = (text: string) => createHash('sha256').update(text).digest();

@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly expected = digest(`Bearer ${process.env.API_KEY}`);

  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest();
    if (!timingSafeEqual(digest(headers.authorization ?? ''), this.expected))
      throw new UnauthorizedException();
    return true;
  }
}
