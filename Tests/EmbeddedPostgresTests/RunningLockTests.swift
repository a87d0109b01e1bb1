import Glibc
import Testing

@testable import EmbeddedPostgres

extension ClusterTests {
    @Suite struct RunningLockTests {
        private func isHeld(_ scratch: Scratch) throws -> Bool {
            try !FileLock(path: scratch.paths.runningLock).attempt(.shared)
        }

        @Test("the lock is held until the last process of the cluster is gone, also without its postmaster")
        func heldByBackends() async throws {
            try await Scratch.with { scratch in
                let cluster = try await scratch.open()
                #expect(try isHeld(scratch))
                let pids = ProcessTable.postgresPIDs(of: scratch.paths.cluster, user: scratch.user)
                let postmaster = try #require(scratch.postmaster)
                // A stopped process cannot notice that its postmaster is gone.
                for pid in pids where pid != postmaster { kill(pid, SIGSTOP) }
                kill(postmaster, SIGKILL)
                #expect(await eventually { scratch.postmaster == nil })
                #expect(try isHeld(scratch))
                let next = try await scratch.open(.visitor)
                #expect(try await scratch.ask("select 1", next) == "1")
                await next.close()
                await cluster.close()
                #expect(try !isHeld(scratch))
            }
        }

        @Test("processes that cannot be seen are left in peace: nothing is removed and no second postmaster starts")
        func heldElsewhere() async throws {
            try await Scratch.with { scratch in
                await (try scratch.open()).close()
                // A process of another container: it has the lock, and the pid in the file is nobody's here.
                let file = "\(Int32.max)\n\(scratch.paths.cluster)\n0\n5432\n\(scratch.root)\n\n0 0\nready\n"
                try SmallFile.replace(scratch.paths.postmasterFile, with: file, owner: scratch.user)
                // Ourselves are left out of the holders, so this is like one that cannot be seen.
                let lock = try FileLock(path: scratch.paths.runningLock)
                #expect(lock.attempt(.exclusive))
                for role in [Role.visitor, .server] {
                    let said = await sentence { _ = try await scratch.open(role) }
                    #expect(said.contains("another container") && said.contains("docker exec"), "\(said)")
                    #expect(SmallFile.read(scratch.paths.postmasterFile) == file)
                }
                lock.release()
                await (try scratch.open()).close()
            }
        }

        @Test("what the postmaster has started and has outlived it is named, with what to do") func heldByOthers()
            async throws
        {
            try await Scratch.with { scratch in
                await (try scratch.open()).close()
                // Like an archive command, it has inherited the lock; the other one has the file open without it.
                let command: Child
                do {
                    let lock = try FileLock(path: scratch.paths.runningLock)
                    #expect(lock.attempt(.exclusive))
                    command = try Child.spawn(["/usr/bin/sleep", "600"], output: 2, inheriting: lock)
                }
                let idle = try Child.spawn(
                    ["/usr/bin/sleep", "601"], output: 2, inheriting: try FileLock(path: scratch.paths.runningLock))
                for role in [Role.visitor, .server] {
                    let said = await sentence { _ = try await scratch.open(role) }
                    #expect(said.contains("while sleep (pid \(command.pid)) holds \(scratch.paths.runningLock)"))
                    #expect(said.contains("'kill \(command.pid)'"), "\(said)")
                }
                for child in [command, idle] {
                    #expect(child.ending() == nil)
                    kill(child.pid, SIGKILL)
                    #expect(await eventually { child.ending() != nil })
                }
                await (try scratch.open()).close()
            }
        }
    }
}
