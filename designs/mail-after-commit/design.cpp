#include <fencecheck/designs/mail-after-commit/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> mail_after_commit() { return make_design<MailAfterCommit>(); }
}  // namespace fencecheck::designs
