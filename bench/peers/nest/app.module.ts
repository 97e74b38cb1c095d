import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NodeSqlite } from './node-sqlite.ts';
import { Pet } from './pet.entity.ts';
import { PetsController } from './pets.controller.ts';
import { PetsService } from './pets.service.ts';

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'better-sqlite3',
      driver: NodeSqlite,
      database: process.env.DATABASE ?? '',
      entities: [Pet],
      enableWAL: true,
      prepareDatabase: (db: NodeSqlite) => void db.pragma('synchronous = FULL'),
    }),
    TypeOrmModule.forFeature([Pet]),
  ],
  controllers: [PetsController],
  providers: [PetsService],
})
export class AppModule {}
